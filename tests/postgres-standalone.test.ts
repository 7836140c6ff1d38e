import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type FreshDatabase, freshDatabase, runOn } from "../packages/store-postgres/src/testing/fresh-database.js";
import { type PostgresServer, startPostgres } from "../packages/store-postgres/src/testing/postgres-server.js";
import { ask } from "./api-client.js";
import { builtServer } from "./build-programs.js";
import {
  freePort,
  linesToPaste,
  paste,
  type RunningProgram,
  startProgram,
  temporaryFolder,
} from "./running-program.js";

vi.setConfig({ testTimeout: 120_000 });

const ADMIN = { BUDGETKIT_ADMIN_EMAIL: "ana@example.org", BUDGETKIT_ADMIN_PASSWORD: "correct horse" };
const SECRET = { BUDGETKIT_SECRET: "a secret of at least thirty-two characters" };
const WAIT = { timeout: 60_000, interval: 50 };
const BUDGETS = "/api/public/budgets";

let main = "";
let postgres: PostgresServer;
beforeAll(async () => {
  main = await builtServer();
  postgres = await startPostgres({ isDurable: true });
}, 180_000);
afterAll(() => postgres.stop());

const serve = (database: Pick<FreshDatabase, "url">, environment = {}) =>
  startProgram(main, { PORT: "0", DATABASE_URL: database.url, ...SECRET, ...environment });

describe("standalone servers on one PostgreSQL", () => {
  it("show on the first start how to begin, and let the same key in wherever it comes", async () => {
    const database = await freshDatabase(postgres.url);
    const first = serve(database);
    await first.url;
    const said = await paste(linesToPaste(first.printed()));
    const key = /^API key: (bgk_live_\S+)$/m.exec(said)?.[1] ?? "";
    const approved = JSON.parse(said.trim().split("\n").at(-1) ?? "").data;
    expect(approved.status).toBe("APPROVED");

    const second = serve(database);
    const url = await second.url;
    expect(second.printed()).toMatch(/^Budgetkit listens on .*\nThe interface is at .*\n$/);
    const { status, body } = await ask(url, key, "GET", BUDGETS);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([{ id: approved.id, status: "APPROVED" }]);

    for (const server of [first, second]) {
      server.signal("SIGTERM");
      expect(await server.end).toBe(0);
    }
  });

  it("refuse at once what another one has revoked, and go on when another one is killed", async () => {
    const database = await freshDatabase(postgres.url);
    const first = serve(database, ADMIN);
    const one = await first.url;
    const other = await serve(database).url;
    const owner = await logIn(one);
    const [kept, revoked] = [await makeKey(one, owner), await makeKey(one, owner)];
    for (const url of [other, one]) expect((await ask(url, revoked.key, "GET", BUDGETS)).status).toBe(200);
    expect((await ask(one, owner, "DELETE", `/api-keys/${revoked.id}`)).status).toBeLessThan(300);
    for (const url of [other, one]) expect((await ask(url, revoked.key, "GET", BUDGETS)).status).toBe(401);

    expect((await ask(one, kept.key, "POST", BUDGETS, aBudget)).status).toBe(201);
    first.signal("SIGKILL");
    expect(await first.end).toBe("SIGKILL");
    expect((await ask(other, kept.key, "POST", BUDGETS, aBudget)).status).toBe(201);
    expect((await ask(other, kept.key, "GET", BUDGETS)).body.pagination.total).toBe(2);
  });

  it.each(["SIGKILL", "SIGINT"] as const)(
    "answer 503 while PostgreSQL, stopped by %s, is away, and go on when it is back",
    async (signal) => {
      const server = await startPostgres({ isDurable: true });
      try {
        const programs = [serve(server, ADMIN), serve(server, ADMIN)];
        const urls = await Promise.all(programs.map(({ url }) => url));
        const { key } = await makeKey(urls[0] ?? "", await logIn(urls[0] ?? ""));
        for (const url of urls) expect((await ask(url, key, "POST", BUDGETS, aBudget)).status).toBe(201);

        server.process.kill(signal);
        for (const url of urls) {
          await expect.poll(() => statusOf(`${url}/readyz`), WAIT).toBe(503);
          expect(await statusOf(`${url}/healthz`)).toBe(200);
          for (const [method, body] of [
            ["POST", JSON.stringify(aBudget)],
            ["GET", null],
          ] as const) {
            const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
            const refused = await fetch(`${url}/v1${BUDGETS}`, { method, headers, body });
            expect(refused.status).toBe(503);
            expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
          }
        }
        await server.restart();
        for (const url of urls) {
          await expect.poll(() => statusOf(`${url}/readyz`), WAIT).toBe(200);
          expect((await ask(url, key, "POST", BUDGETS, aBudget)).status).toBe(201);
          expect((await ask(url, key, "GET", BUDGETS)).status).toBe(200);
        }
        for (const program of programs) {
          await expect
            .poll(() => complaintsOf(program), WAIT)
            .toEqual([
              expect.stringMatching(/^\S+Z error The store cannot serve: PostgreSQL cannot serve: /),
              expect.stringMatching(/^\S+Z info The store serves again after \d+ s, in which \d+ /),
            ]);
          program.signal("SIGTERM");
          expect(await program.end).toBe(0);
        }
      } finally {
        await server.stop();
      }
    },
  );
});

describe("a standalone server of several processes", () => {
  it("serves on one port, replaces a process that is killed, and stops all on SIGTERM", async () => {
    const database = await freshDatabase(postgres.url);
    const roster = newRoster();
    const program = serve(database, { ...ADMIN, ...roster.environment, WEB_CONCURRENCY: "3" });
    const url = await program.url;
    expect(program.printed().match(/listens on/g)).toHaveLength(1);
    const workers = roster.workers();
    expect(workers).toHaveLength(3);
    const { key } = await makeKey(url, await logIn(url));
    for (let count = 0; count < 9; count += 1) expect((await create(url, key)).status).toBe(201);

    for (const worker of workers) {
      const served = servedAgain(program);
      process.kill(worker, "SIGKILL");
      await expect.poll(program.printed, WAIT).toContain(`A worker process ended (${worker})`);
      expect((await create(url, key)).status).toBe(201); // by one of the others
      await expect.poll(() => servedAgain(program), WAIT).toBe(served + 1);
    }
    for (let count = 0; count < 9; count += 1) expect((await create(url, key)).status).toBe(201);
    expect((await ask(url, key, "GET", BUDGETS)).body.pagination.total).toBe(21);

    expect(roster.workers()).toHaveLength(6);

    program.signal("SIGTERM");
    expect(await program.end).toBe(0);
    expect(await connectionsTo(database)).toBe(0);
  });

  it("ends all when the process that started them is killed", async () => {
    const database = await freshDatabase(postgres.url);
    const program = serve(database, { ...ADMIN, WEB_CONCURRENCY: "3" });
    const url = await program.url;
    expect(await connectionsTo(database)).toBeGreaterThanOrEqual(3);
    program.signal("SIGKILL");
    await expect.poll(() => connectionsTo(database), WAIT).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it("stops when it is told to while it starts", async () => {
    const database = await freshDatabase(postgres.url);
    const roster = newRoster();
    const program = serve(database, { ...ADMIN, ...roster.environment, WEB_CONCURRENCY: "3" });
    await expect.poll(roster.workers, WAIT).toHaveLength(1);
    program.signal("SIGTERM");
    expect(await program.end).toBe(0);
    await expect.poll(() => connectionsTo(database), WAIT).toBe(0);
    expect(roster.workers()).toHaveLength(1);
    expect(program.printed()).toBe("");
  });

  it("finishes what the first process serves when it is told to stop while the others start", async () => {
    const database = await freshDatabase(postgres.url);
    const port = await freePort();
    const roster = newRoster(
      "if (process.env.NODE_UNIQUE_ID > 1) await new Promise((resolve) => setInterval(resolve, 1e9));",
    );
    const environment = { ...ADMIN, ...roster.environment, PORT: String(port), WEB_CONCURRENCY: "2" };
    const program = serve(database, environment);
    await expect.poll(roster.workers, WAIT).toHaveLength(2);

    const body = JSON.stringify({ email: ADMIN.BUDGETKIT_ADMIN_EMAIL, password: ADMIN.BUDGETKIT_ADMIN_PASSWORD });
    const headers = { "content-type": "application/json", "content-length": body.length, expect: "100-continue" };
    const login = request(`http://127.0.0.1:${port}/v1/auth/login`, { method: "POST", headers });
    const answered = once(login, "response");
    login.flushHeaders();
    await once(login, "continue");
    program.signal("SIGTERM");
    await expect.poll(() => lives(roster.workers()[1]), WAIT).toBe(false);
    login.end(body);
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(201);
    expect(await program.end).toBe(0);
    expect(program.printed()).toBe("");
  });
});

describe("a standalone server refuses to start", () => {
  const refused = async (environment: Readonly<Record<string, string>>): Promise<string> => {
    const program = startProgram(main, { PORT: "0", ...environment });
    expect(await program.end).toBe(1);
    expect(program.printed()).not.toMatch(/ {4}at |listens on|another one is started/);
    expect(program.printed().trim().split("\n")).toHaveLength(environment.BUDGETKIT_SECRET === undefined ? 2 : 1);
    return program.printed();
  };

  it.each(["1", "3"])("without a secret, as %s processes", async (WEB_CONCURRENCY) => {
    expect(await refused({ WEB_CONCURRENCY, DATABASE_URL: postgres.url })).toContain("  BUDGETKIT_SECRET must be set");
  });

  it("with a password that is wrong, which it does not repeat", async () => {
    const folder = temporaryFolder();
    const rules = join(folder, "hba.conf");
    chmodSync(folder, 0o755);
    writeFileSync(rules, "local all postgres trust\nlocal all all scram-sha-256\n");
    const server = await startPostgres({ settings: { hba_file: rules } });
    try {
      await runOn(server.url, "CREATE ROLE app LOGIN PASSWORD 'right'");
      const DATABASE_URL = server.url.replace("postgres@", "app:wrong%21horse@");
      const said = await refused({ ...SECRET, DATABASE_URL });
      expect(said).toMatch(/^DATABASE_URL cannot be used: PostgreSQL refused the user or the password \(.*"app"\)\n$/);
      const allowed = { ...SECRET, DATABASE_URL: server.url.replace("postgres@", "app:right@") };
      expect(await refused(allowed)).toMatch(/^DATABASE_URL cannot be used: the user may not make or use the schema /);
    } finally {
      await server.stop();
    }
  });

  it.each(["1", "3"])("with a database that does not exist, as %s processes", async (WEB_CONCURRENCY) => {
    const said = await refused({
      ...SECRET,
      WEB_CONCURRENCY,
      DATABASE_URL: postgres.url.replace("/postgres?", "/nowhere?"),
    });
    expect(said).toBe(
      'DATABASE_URL cannot be used: PostgreSQL has no such database (database "nowhere" does not exist)\n',
    );
  });

  it("where nothing listens, or nobody lives, or what is no URL, none of which repeats the password", async () => {
    const port = await freePort();
    for (const [url, words] of [
      [`postgres://app:horse@localhost:${port}/b`, /^DATABASE_URL cannot be used: no PostgreSQL listens there \(/],
      [`postgres://app:horse@127.0.0.1:${port}/b`, /^DATABASE_URL cannot be used: no PostgreSQL listens there \(/],
      [`postgres://app:horse@/b?host=${encodeURIComponent(temporaryFolder())}`, /: no PostgreSQL listens there \(/],
      ["postgres://app:horse@host.invalid/b", /: (?:there is no such host|the name of the host cannot be resolved) \(/],
      ["postgres://app:ho#rse/@localhost/b", /: it is no URL; /],
    ] as const) {
      const said = await refused({ ...SECRET, DATABASE_URL: url });
      expect(said).toMatch(words);
      expect(said).not.toMatch(/horse|ho#rse/);
    }
  });

  it.each(["1", "3"])("on a port that is in use, as %s processes", async (WEB_CONCURRENCY) => {
    const port = new URL(await serve(await freshDatabase(postgres.url)).url).port;
    const database = await freshDatabase(postgres.url);
    const said = await refused({ ...SECRET, WEB_CONCURRENCY, DATABASE_URL: database.url, PORT: port });
    expect(said).toContain(`PORT ${port} is in use on 127.0.0.1.`);
  });
});

const aBudget = { customerId: "ana", items: [{ description: "Chair", quantity: 4, unitPrice: 79.5 }] };

/** Has the processes of a program write themselves down as they start, and then do what `then` says. */
function newRoster(then = "") {
  const file = join(temporaryFolder(), "roster");
  writeFileSync(file, "");
  const code = `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(file)}, process.pid + "\\n"); ${then}`;
  return {
    environment: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` },
    /** Those that the first one started, in order. */
    workers: () => readFileSync(file, "utf8").trim().split("\n").map(Number).slice(1),
  };
}

function lives(pid = Number.NaN): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** How many processes have taken the place of another one. */
function servedAgain(program: RunningProgram): number {
  return program.printed().match(/Another worker process serves \(\d+\)/g)?.length ?? 0;
}

async function connectionsTo({ query }: FreshDatabase): Promise<number> {
  const rows = await query(
    "SELECT FROM pg_stat_activity WHERE application_name = 'budgetkit' AND datname = current_database()",
  );
  return rows.length;
}

/** On a connection of its own, so that the next one may go to another process. */
async function create(url: string, key: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", connection: "close" };
  return fetch(`${url}/v1${BUDGETS}`, { method: "POST", headers, body: JSON.stringify(aBudget) });
}

async function logIn(url: string): Promise<string> {
  const login = { email: ADMIN.BUDGETKIT_ADMIN_EMAIL, password: ADMIN.BUDGETKIT_ADMIN_PASSWORD };
  const { status, body } = await ask(url, "", "POST", "/auth/login", login);
  expect(status).toBe(201);
  return body.access_token;
}

async function makeKey(url: string, owner: string): Promise<{ readonly id: string; readonly key: string }> {
  const scopes = ["READ_BUDGETS", "WRITE_BUDGETS"];
  const { status, body } = await ask(url, owner, "POST", "/api-keys", { name: "shop", scopes });
  expect(status).toBe(201);
  return body;
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

/** What a program has printed after its announcement, line by line, without the stacks. */
function complaintsOf(program: RunningProgram): string[] {
  const announcement =
    /^Budgetkit listens on .*\nThe interface is at .*\n(?:\nFirst start: [\s\S]*"APPROVED"\}'; echo\n)?/;
  const lines = program.printed().replace(announcement, "").trim().split("\n");
  return lines.filter((line) => !/^ {4}at /.test(line));
}
