import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aBudget, anEvent } from "@budgetkit/core/testing";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type FreshDatabase, freshDatabase, runOn } from "../packages/store-postgres/src/testing/fresh-database.js";
import { startPostgres } from "../packages/store-postgres/src/testing/postgres-server.js";
import { builtServer } from "./build-programs.js";
import { type Environment, type RunningProgram, startProgram, temporaryFolder } from "./running-program.js";

vi.setConfig({ testTimeout: 240_000 });

let main = "";
beforeAll(async () => {
  main = await builtServer();
}, 180_000);

const SECRET = "a secret for tests that is long enough";

function copy(path: string, url: string, environment = {}): RunningProgram {
  return startProgram(main, environment, undefined, undefined, ["copy", "--from", `file:${path}`, "--to", url]);
}

/** What `doctor` says of a database. */
async function examined({ url }: FreshDatabase): Promise<string> {
  const environment = { DATABASE_URL: url, BUDGETKIT_SECRET: SECRET };
  const doctor = startProgram(main, environment, undefined, undefined, ["doctor"]);
  await doctor.end;
  return doctor.printed();
}

async function login(address: string): Promise<string> {
  const answer = await fetch(`${address}/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "ana@example.com", password: "the password of ana" }),
  });
  return JSON.parse(await answer.text()).access_token;
}

/** A database with so many budgets, each with an event that waits for its fan-out. */
async function filledFile(budgets: number, notes: string): Promise<string> {
  const path = join(temporaryFolder(), "b.db");
  const store = sqliteStore(path, { limiter: "memory" });
  await store.migrate();
  for (let first = 0; first < budgets; first += 1_000) {
    const ids = Array.from({ length: Math.min(1_000, budgets - first) }, (_, index) => String(10_000 + first + index));
    const insert = (id: string) =>
      store.insertBudget(
        aBudget({ id, notes: `${notes} ${id}`, total: Number(id) }),
        [anEvent({ subjectId: id })],
        null,
      );
    await Promise.all(ids.map(insert));
  }
  await store.close();
  return path;
}

/** What a database holds, in the order of its keys. */
async function contentsOf({ query }: FreshDatabase): Promise<unknown> {
  const budgets = await query("SELECT * FROM budgetkit.budgets ORDER BY business_id, id");
  const sums = await query("SELECT * FROM budgetkit.budget_sums ORDER BY 1, 2, 3");
  const waiting = await query("SELECT * FROM budgetkit.undispatched_events ORDER BY business_id, sequence");
  const counters = await query(
    "SELECT (SELECT next FROM budgetkit.ids), (SELECT last_value FROM budgetkit.event_sequence)",
  );
  return { budgets, sums, waiting, counters };
}

/** What lets nobody but the administrator in without a password. @returns the file */
function passwordsOnly(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const rules = join(folder, "hba.conf");
  writeFileSync(rules, "local all postgres trust\nlocal all all scram-sha-256\n");
  return rules;
}

function untilPrinted(program: RunningProgram, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = setInterval(() => {
      if (program.printed().includes(text)) {
        clearInterval(look);
        resolve();
      }
    }, 1);
    program.end.then((how) => {
      clearInterval(look);
      if (program.printed().includes(text)) resolve();
      reject(new Error(`ended with ${how} before it said ${text}:\n${program.printed()}`));
    }, reject);
  });
}

describe("copying a database", () => {
  it("ends with the same data however often it was killed on the way", async () => {
    const path = await filledFile(5_000, "n");
    const [straight, killed] = [await freshDatabase(), await freshDatabase()];
    const whole = copy(path, straight.url);
    expect(await whole.end, whole.printed()).toBe(0);
    for (const moment of [
      "Reading the source: budgets",
      "Copying: counters",
      "Copying: budgets, 20 %",
      "Copying: budgets, 70 %",
      "Copying: events, 10 %",
      "Comparing: counters",
    ]) {
      const program = copy(path, killed.url);
      await untilPrinted(program, moment);
      program.signal("SIGKILL");
      expect(await program.end).toBe("SIGKILL");
    }
    const last = copy(path, killed.url);
    expect(await last.end, last.printed()).toBe(0);
    expect(last.printed()).not.toContain("Copying: budgets");
    expect(last.printed()).toMatch(/^budgets +5000 +5000 +[0-9a-f]{12} +same$/m);
    expect(await contentsOf(killed)).toEqual(await contentsOf(straight));
  });

  it("goes on where it was, and lets nobody serve before it is complete", async () => {
    const path = await filledFile(2_000, "n");
    const target = await freshDatabase();
    const first = copy(path, target.url);
    await untilPrinted(first, "Copying: budgets, 50 %");
    first.signal("SIGKILL");
    await first.end;
    const server = startProgram(main, { PORT: "0", DATABASE_URL: target.url, BUDGETKIT_SECRET: SECRET });
    expect(await server.end).toBe(1);
    expect(server.printed()).toContain(
      'DATABASE_URL cannot be used: a copy into the schema "budgetkit" is not complete',
    );
    expect(await examined(target)).toContain(
      'wrong    schema: a copy into the schema "budgetkit" is not complete: start it again, or drop the schema',
    );
    const second = copy(path, target.url);
    expect(await second.end).toBe(0);
    expect(await examined(target)).toContain("ok       schema: is up to date");
    expect(second.printed()).not.toContain("Copying: budgets, 20 %");

    const again = copy(path, target.url);
    expect(await again.end).toBe(0);
    expect(again.printed()).toContain("The copy was complete before; both are the same.");
    expect(again.printed()).not.toContain("Copying:");
  });

  it("copies 8,000 large budgets in less memory than half of them take up", async () => {
    const path = await filledFile(8_000, "日 12 ".repeat(750)); // 6 KB, twice for each budget
    const target = await freshDatabase();
    const program = copy(path, target.url, { NODE_OPTIONS: "--max-old-space-size=48" });
    expect(await program.end, program.printed()).toBe(0);
    expect(program.printed()).toMatch(/^budgets +8000 +8000 +[0-9a-f]{12} +same$/m);
  });

  it("names the table in which the databases differ", async () => {
    const path = await filledFile(3, "n");
    const target = await freshDatabase();
    expect(await copy(path, target.url).end).toBe(0);
    await target.query("UPDATE budgetkit.budgets SET search_text = 'other' WHERE id = 10001");
    await target.query("DELETE FROM budgetkit.undispatched_events");
    const program = copy(path, target.url);
    expect(await program.end).toBe(1);
    expect(program.printed()).toContain("The databases differ in: budgets, undispatched_events\n");
    expect(program.printed()).toContain("the databases have parted since");
  });

  it("leaves a copy that differs incomplete", async () => {
    const path = await filledFile(600, "n");
    const target = await freshDatabase();
    const first = copy(path, target.url);
    await untilPrinted(first, "Copying: events");
    first.signal("SIGKILL");
    await first.end;
    await target.query("DELETE FROM budgetkit.budgets WHERE id = 10001");
    for (let turn = 0; turn < 2; turn += 1) {
      const program = copy(path, target.url);
      expect(await program.end).toBe(1);
      expect(program.printed()).toContain("The databases differ in: budgets\n");
    }
  });

  it("refuses a target that holds other data", async () => {
    const target = await freshDatabase();
    expect(await copy(await filledFile(1, "n"), target.url).end).toBe(0);
    const other = copy(await filledFile(2, "n"), target.url);
    expect(await other.end).toBe(1);
    expect(other.printed()).toContain("was completed from other data than the source has now");
    await target.query("DROP TABLE budgetkit.copies");
    const served = copy(await filledFile(2, "n"), target.url);
    expect(await served.end).toBe(1);
    expect(served.printed()).toContain('the schema "budgetkit" holds data already (budgets)');
  });

  it("refuses a source that is in use, missing or no database of this release", async () => {
    const { url } = await freshDatabase();
    const folder = temporaryFolder();
    const server = startProgram(main, { PORT: "0", DATABASE_URL: `file:${folder}/b.db` });
    await server.url;
    const busy = copy(`${folder}/b.db`, url);
    expect(await busy.end).toBe(1);
    expect(busy.printed()).toBe(`${folder}/b.db is in use: stop whatever serves from it before its data are copied\n`);
    const missing = copy(`${folder}/none.db`, url);
    expect(await missing.end).toBe(1);
    expect(missing.printed()).toMatch(/none\.db cannot be opened: .+/);
    const limits = copy(`${folder}/b.db-secret`, url);
    expect(await limits.end).toBe(1);
    expect(limits.printed()).toContain("file is not a database");
  });

  it("brings a server with its logins to Postgres, given its secret", async () => {
    const { url } = await freshDatabase();
    const folder = temporaryFolder();
    const owner = { BUDGETKIT_ADMIN_EMAIL: "ana@example.com", BUDGETKIT_ADMIN_PASSWORD: "the password of ana" };
    const before = startProgram(main, { PORT: "0", DATABASE_URL: `file:${folder}/b.db`, ...owner });
    const token = await login(await before.url);
    before.signal("SIGTERM");
    await before.end;
    expect(await copy(`${folder}/b.db`, url).end).toBe(0);

    const secret = readFileSync(`${folder}/b.db-secret`, "utf8").trim();
    const after = startProgram(main, { PORT: "0", DATABASE_URL: url, BUDGETKIT_SECRET: secret });
    const address = await after.url;
    expect(after.printed()).toMatch(/^Budgetkit listens on .*\nThe interface is at .*\n$/);
    expect(await login(address)).toMatch(/^ey/);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${address}/v1/api-keys`, { headers })).status).toBe(200);
    after.signal("SIGTERM");
    expect(await after.end).toBe(0);
  });

  it("refuses a target that cannot be reached", async () => {
    const program = copy(await filledFile(1, "n"), "postgres://nobody@127.0.0.1:1/none");
    expect(await program.end).toBe(1);
    expect(program.printed()).toContain("the database to copy to cannot be used: PostgreSQL cannot serve");
  });

  it("takes from variables what the flags leave out", async () => {
    const path = await filledFile(1, "n");
    const target = await freshDatabase();
    const copying = (environment: Environment, ...flags: string[]) =>
      startProgram(main, environment, undefined, undefined, ["copy", ...flags]);
    const named = { BUDGETKIT_COPY_FROM: `file:${path}`, BUDGETKIT_COPY_TO: target.url };
    const copied = copying(named);
    expect(await copied.end, copied.printed()).toBe(0);
    const again = copying({ ...named, BUDGETKIT_COPY_FROM: "file:./none.db" }, "--from", `file:${path}`);
    expect(await again.end, again.printed()).toBe(0);
    const wrong = copying({ ...named, BUDGETKIT_COPY_TO: "mysql://app:horse@host/b" });
    expect(await wrong.end).toBe(2);
    expect(wrong.printed()).toBe(
      "BUDGETKIT_COPY_TO must begin with file: or postgres:, or be memory:, there is no store for anything else\n",
    );
  });

  it("repeats no password: of wrong arguments, of a server that is away, of one that refuses it", async () => {
    const server = await startPostgres({ settings: { hba_file: passwordsOnly() } });
    onTestFinished(() => server.stop());
    await runOn(server.url, "CREATE ROLE app LOGIN PASSWORD 'right'");
    const away = "postgres://app:ho%20rse@127.0.0.1:1/b";
    const path = `file:${await filledFile(1, "n")}`;
    for (const [args, code, said] of [
      [["copy", "--from", path, "--too", away], 2, "unknown option '--too'"],
      [["copy", "--from", path, `--too=${away}`], 2, "unknown option '--too=postgres://app:***@127.0.0.1:1/b'"],
      [["copy", "--from", away, "--to", path], 2, "--from must be a SQLite file"],
      [["copy", "--from", path, "--to", away, away], 2, "too many arguments for 'copy'"],
      [[away, "--to", away], 2, "unknown command 'postgres://app:***@127.0.0.1:1/b'"],
      [["migrate", "--database-url", away], 1, "no PostgreSQL listens there"],
      [["copy", "--from", path, "--to", away], 1, "PostgreSQL cannot serve"],
      [["copy", "--from", path, "--to", "postgres://app:horse@h:x/b"], 1, "cannot be used"],
      [["copy", "--from", path, "--to", server.url.replace("postgres@", "app:horse@")], 1, 'for user "app"'],
    ] as const) {
      const program = startProgram(main, {}, undefined, undefined, args);
      expect(await program.end, program.printed()).toBe(code);
      expect(program.printed()).toContain(said);
      expect(program.printed()).not.toMatch(/horse|ho%20rse|ho rse/);
    }
  });

  it.each([
    [["copy"], "--from is missing, and BUDGETKIT_COPY_FROM is not set"],
    [["copy", "--from", "file:./b.db"], "--to is missing, and BUDGETKIT_COPY_TO is not set"],
    [["copy", "--from", "memory:", "--to", "postgres://x/y"], "--from must be a SQLite file"],
    [["copy", "--from", "file:./b.db", "--to", "file:./c.db"], "--to must be a PostgreSQL database"],
    [["copy", "--from", "b.db", "--to", "postgres://x/y"], "--from must begin with file: or postgres:"],
    [["copy", "--form", "file:./b.db"], "unknown option '--form'"],
    [["copy", "file:./b.db"], "too many arguments for 'copy'"],
    [["move"], "unknown command 'move'"],
  ])("refuses the arguments %j", async (args, message) => {
    const program = startProgram(main, { PORT: "0" }, undefined, undefined, args);
    expect(await program.end).toBe(2);
    expect(program.printed()).toContain(message);
  });
});
