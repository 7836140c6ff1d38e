import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBudgetService, scryptHasher, systemRandom } from "@budgetkit/core";
import { insertBudgetCommit, insertEndpointCommit } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { aBudget, anEndpoint, anEvent, outcomeOf, rounds, SCALE } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { copyDatabase } from "../../packages/cli/src/copy/copy-database.js";
import {
  type FreshDatabase,
  freshDatabase,
  migratedDatabase,
} from "../../packages/store-postgres/src/testing/fresh-database.js";
import { quickServer } from "../programs/build-programs.js";
import { runCommand } from "../programs/command-line.js";
import { type Environment, startProgram, temporaryFolder } from "../programs/running-program.js";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

const SECRET = "a secret for tests that is long enough";
const BUDGETS = rounds({ small: 1_200, full: 5_000 }); // a chunk of a copy has 500
const LARGE_BUDGETS = rounds({ small: 1_100, full: 8_000 }); // 38 MB or 280 MB in memory
const HEAP_MB = 48; // the program itself takes up 14; with less room, most of the time goes into collecting garbage

const LOGIN = { email: "ana@example.com", password: "the password of ana" };

/** The exit code of a command, and what it printed on both streams. */
interface Finished {
  readonly code: number | string; // a string = the signal that ended it
  readonly printed: string;
}

async function command(args: readonly string[], environment: Environment = {}): Promise<Finished> {
  const { code, out, complaints } = await runCommand(args, { folder: temporaryFolder(), environment });
  return { code, printed: out + complaints };
}

function copy(path: string, url: string): Promise<Finished> {
  return command(["copy", "--from", `file:${path}`, "--to", url]);
}

/** Runs a copy in a process of its own. */
async function copyProcess(path: string, url: string, environment: Environment): Promise<Finished> {
  const args = ["copy", "--from", `file:${path}`, "--to", url];
  const program = startProgram(main, environment, undefined, undefined, args);
  return { code: await program.end, printed: program.printed() };
}

/** Runs a copy in a process that kills itself when it is about to print `moment`. */
async function killedCopy(path: string, url: string, moment: string): Promise<void> {
  const code = `const { stderr } = process;
    const write = stderr.write.bind(stderr);
    stderr.write = (text, ...rest) => {
      if (String(text).includes(${JSON.stringify(moment)})) process.kill(process.pid, "SIGKILL");
      return write(text, ...rest);
    };`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(code)}`;
  expect((await copyProcess(path, url, { NODE_OPTIONS })).code).toBe("SIGKILL");
}

/** Runs a copy in this process, up to its first report about a table. */
async function interruptedCopy(path: string, url: string, stopAt: string): Promise<void> {
  const copying = copyDatabase({
    from: { kind: "file", path },
    to: { kind: "postgres", url },
    onProgress: ({ phase, table }) => {
      if (`${phase} ${table}` === stopAt) throw new Error("interrupted");
    },
  });
  await expect(copying).rejects.toThrow("interrupted");
}

/** What `doctor` prints about a database. */
async function diagnosisOf({ url }: FreshDatabase): Promise<string> {
  return (await command(["doctor"], { DATABASE_URL: url, BUDGETKIT_SECRET: SECRET })).printed;
}

/** A session that began while the database was a file. @returns its access token */
async function loginBefore(path: string, secret: string): Promise<string> {
  const store = sqliteStore(path, { limiter: "memory" });
  const passwordHasher = scryptHasher(systemRandom, { cost: 16 }); // replaces the dear hash, for the logins that follow
  const service = createBudgetService({ store, secret, passwordHasher });
  const session = await service.sessions.login(LOGIN);
  await service.stop();
  await store.close();
  return session._unsafeUnwrap().access_token;
}

async function login(address: string): Promise<string> {
  const answer = await fetch(`${address}/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(LOGIN),
  });
  return JSON.parse(await answer.text()).access_token;
}

/** A database with budgets, each with an event that waits to be fanned out. @returns its path */
async function filledFile(budgets: number, text = ""): Promise<string> {
  const path = join(temporaryFolder(), "b.db");
  const store = sqliteStore(path, { limiter: "memory" });
  await store.migrate();
  await store.commit(insertEndpointCommit(anEndpoint()));
  for (let first = 0; first < budgets; first += 1_000) {
    const ids = Array.from({ length: Math.min(1_000, budgets - first) }, (_, index) => String(10_000 + first + index));
    const insert = (id: string) =>
      outcomeOf(
        store,
        insertBudgetCommit(aBudget({ id, notes: id, metadata: { text }, total: Number(id) }), {
          events: [anEvent({ subjectId: id })],
        }),
      );
    await Promise.all(ids.map(insert));
  }
  await store.close();
  return path;
}

/** The rows of a database, in the order of their keys. */
async function contentsOf({ query }: FreshDatabase): Promise<unknown> {
  const budgets = await query("SELECT * FROM budgetkit.budgets ORDER BY business_id, id");
  const sums = await query("SELECT * FROM budgetkit.budget_sums ORDER BY 1, 2, 3");
  const waiting = await query("SELECT * FROM budgetkit.undispatched_events ORDER BY business_id, sequence");
  const counters = await query(
    "SELECT (SELECT next FROM budgetkit.ids), (SELECT last_value FROM budgetkit.event_positions)",
  );
  return { budgets, sums, waiting, counters };
}

describe("copying a database", () => {
  it("a copy ends with the same data however often it was killed on the way", async () => {
    const path = await filledFile(BUDGETS);
    const [straight, killed] = [await migratedDatabase(), await freshDatabase()];
    const whole = await copy(path, straight.url);
    expect(whole.code, whole.printed).toBe(0);
    const moments = ["Copying: budgets, 40 %", "Comparing: counters"];
    const more = [
      "Reading the source: budgets",
      "Copying: events, 40 %",
      "Copying: counters",
      "Copying: budgets, 70 %",
    ];
    for (const moment of SCALE === "full" ? [...more, ...moments] : moments) await killedCopy(path, killed.url, moment);
    const last = await copy(path, killed.url);
    expect(last.code, last.printed).toBe(0);
    expect(last.printed).not.toContain("Copying: budgets");
    expect(last.printed).toMatch(new RegExp(`^budgets +${BUDGETS} +${BUDGETS} +[0-9a-f]{12} +same$`, "m"));
    expect(await contentsOf(killed)).toEqual(await contentsOf(straight));
  });

  it("a copy continues where it stopped, and no server starts before it is complete", async () => {
    const path = await filledFile(600);
    const target = await migratedDatabase();
    await interruptedCopy(path, target.url, "copying budgets");
    const server = startProgram(main, { PORT: "0", DATABASE_URL: target.url, BUDGETKIT_SECRET: SECRET });
    expect(await server.end).toBe(1);
    expect(server.printed()).toContain(
      'DATABASE_URL cannot be used: a copy into the schema "budgetkit" is not complete',
    );
    expect(await diagnosisOf(target)).toContain(
      'wrong    schema: a copy into the schema "budgetkit" is not complete: start it again, or drop the schema',
    );
    const second = await copy(path, target.url);
    expect(second.code).toBe(0);
    expect(await diagnosisOf(target)).toContain("ok       schema: is up to date");
    expect(second.printed).toContain("Copying: budgets, 600 of 600");
    expect(second.printed).not.toContain("Copying: budgets, 80 %");

    const again = await copy(path, target.url);
    expect(again.code).toBe(0);
    expect(again.printed).toContain("The copy was complete before; both are the same.");
    expect(again.printed).not.toContain("Copying:");
  });

  it("copies large budgets in less memory than they take up", async () => {
    const path = await filledFile(LARGE_BUDGETS, "日 12 ".repeat(3_500)); // 35 KB each in memory
    const target = await migratedDatabase();
    const copied = await copyProcess(path, target.url, { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
    expect(copied.code, copied.printed).toBe(0);
    expect(copied.printed).toMatch(
      new RegExp(`^budgets +${LARGE_BUDGETS} +${LARGE_BUDGETS} +[0-9a-f]{12} +same$`, "m"),
    );
  });

  it("copy prints the tables in which the databases differ", async () => {
    const path = await filledFile(3);
    const target = await migratedDatabase();
    expect((await copy(path, target.url)).code).toBe(0);
    await target.query("UPDATE budgetkit.budgets SET search_text = 'other' WHERE id = 10001");
    await target.query("DELETE FROM budgetkit.undispatched_events");
    const { code, printed } = await copy(path, target.url);
    expect(code).toBe(1);
    expect(printed).toContain("The databases differ in: budgets, undispatched_events\n");
    expect(printed).toContain("the databases have parted since");
  });

  it("leaves a copy that differs incomplete", async () => {
    const path = await filledFile(600);
    const target = await migratedDatabase();
    await interruptedCopy(path, target.url, "copying events");
    await target.query("DELETE FROM budgetkit.budgets WHERE id = 10001");
    for (let turn = 0; turn < 2; turn += 1) {
      const { code, printed } = await copy(path, target.url);
      expect(code).toBe(1);
      expect(printed).toContain("The databases differ in: budgets\n");
    }
  });

  it("copy refuses a target that holds other data", async () => {
    const target = await migratedDatabase();
    expect((await copy(await filledFile(1), target.url)).code).toBe(0);
    const other = await copy(await filledFile(2), target.url);
    expect(other.code).toBe(1);
    expect(other.printed).toContain("was completed from other data than the source has now");
    await target.query("DROP TABLE budgetkit.copies");
    const served = await copy(await filledFile(2), target.url);
    expect(served.code).toBe(1);
    expect(served.printed).toContain('the schema "budgetkit" holds data already (budgets)');
  });

  it("copy refuses a source that is in use, missing or no database of this release", async () => {
    const { url } = await migratedDatabase();
    const folder = temporaryFolder();
    const store = sqliteStore(`${folder}/b.db`);
    await store.migrate();
    const used = await copy(`${folder}/b.db`, url);
    await store.close();
    expect(used).toEqual({
      code: 1,
      printed: `${folder}/b.db is in use: stop the service that uses it, then copy\n`,
    });
    const missing = await copy(`${folder}/none.db`, url);
    expect(missing.code).toBe(1);
    expect(missing.printed).toMatch(/none\.db cannot be opened: .+/);
    writeFileSync(`${folder}/notes.txt`, SECRET);
    const notes = await copy(`${folder}/notes.txt`, url);
    expect(notes.code).toBe(1);
    expect(notes.printed).toContain("file is not a database");
  });

  it("copies a server with its logins to Postgres, given its secret", async () => {
    const { url } = await freshDatabase();
    const folder = temporaryFolder();
    const path = `${folder}/b.db`;
    const run = async (args: string, input = "") => {
      const surroundings = { folder, environment: { DATABASE_URL: `file:${path}` }, input };
      const { code, out, complaints } = await runCommand(`${args} --json`.split(" "), surroundings);
      expect(code, complaints).toBe(0);
      return JSON.parse(out);
    };
    await run("migrate");
    const { id } = await run("business create --name Carpentry");
    await run(`user create --business ${id} --email ${LOGIN.email} --role OWNER`, LOGIN.password);
    const secret = readFileSync(`${path}-secret`, "utf8").trim();
    const token = await loginBefore(path, secret);
    expect((await copy(path, url)).code).toBe(0);

    const after = startProgram(main, { PORT: "0", DATABASE_URL: url, BUDGETKIT_SECRET: secret });
    const address = await after.url;
    expect(after.printed()).toMatch(/^Budgetkit listens on .*\nDashboard, .*\nThe API is at .*(?:\nReference, .*)?\n$/);
    expect(await login(address)).toMatch(/^ey/);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${address}/v1/api-keys`, { headers })).status).toBe(200);
    after.signal("SIGTERM");
    expect(await after.end).toBe(0);
  });

  it("copy refuses a target that does not answer", async () => {
    const { code, printed } = await copy(await filledFile(1), "postgres://app@127.0.0.1:1/none");
    expect(code).toBe(1);
    expect(printed).toContain("the database to copy to cannot be used: PostgreSQL cannot serve");
  });

  it("copy reads from variables what the flags leave out", async () => {
    const path = await filledFile(1);
    const target = await migratedDatabase();
    const named = { BUDGETKIT_COPY_FROM: `file:${path}`, BUDGETKIT_COPY_TO: target.url };
    expect(await command(["copy"], named)).toMatchObject({ code: 0 });
    const flagged = { ...named, BUDGETKIT_COPY_FROM: "file:./none.db" };
    expect(await command(["copy", "--from", `file:${path}`], flagged)).toMatchObject({ code: 0 });
    expect(await command(["copy"], { ...named, BUDGETKIT_COPY_TO: "mysql://app:horse@host/b" })).toEqual({
      code: 2,
      printed:
        "BUDGETKIT_COPY_TO must begin with file: or postgres:, or be memory:, there is no store for anything else\n",
    });
  });

  it("copy prints no password: of wrong arguments, of a server that is away, of one that refuses it", async () => {
    const refusing = (await migratedDatabase()).url.replace(/(?<=:\/\/)[^@/]*@/, "stranger:horse@");
    const away = "postgres://app:ho%20rse@127.0.0.1:1/b";
    const path = `file:${await filledFile(1)}`;
    for (const [args, code, message] of [
      [["copy", "--from", path, "--too", away], 2, "unknown option '--too'"],
      [["copy", "--from", path, `--too=${away}`], 2, "unknown option '--too=postgres://app:***@127.0.0.1:1/b'"],
      [["copy", "--from", away, "--to", path], 2, "--from must be a SQLite file"],
      [["copy", "--from", path, "--to", away, away], 2, "too many arguments for 'copy'"],
      [[away, "--to", away], 2, "unknown command 'postgres://app:***@127.0.0.1:1/b'"],
      [["migrate", "--database-url", away], 1, "no PostgreSQL listens there"],
      [["copy", "--from", path, "--to", away], 1, "PostgreSQL cannot serve"],
      [["copy", "--from", path, "--to", "postgres://app:horse@h:x/b"], 1, "cannot be used"],
      [["copy", "--from", path, "--to", refusing], 1, 'role "stranger" does not exist'],
    ] as const) {
      const finished = await command(args);
      expect(finished.code, finished.printed).toBe(code);
      expect(finished.printed).toContain(message);
      expect(finished.printed).not.toMatch(/horse|ho%20rse|ho rse/);
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
  ])("copy refuses the arguments %j", async (args, message) => {
    const { code, printed } = await command(args);
    expect(code).toBe(2);
    expect(printed).toContain(message);
  });
});
