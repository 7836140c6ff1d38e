import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rounds, SCALE } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type FreshDatabase,
  freshDatabase,
  migratedDatabase,
} from "../../packages/store-postgres/src/testing/fresh-database.js";
import { type PostgresServer, startPostgres } from "../../packages/store-postgres/src/testing/postgres-server.js";
import { runOn } from "../../packages/store-postgres/src/testing/run-on.js";
import { ask } from "../programs/api-client.js";
import { quickServer } from "../programs/build-programs.js";
import { runCommand } from "../programs/command-line.js";
import {
  freePort,
  linesToPaste,
  paste,
  type RunningProgram,
  startProgram,
  takenPort,
  temporaryFolder,
} from "../programs/running-program.js";
import { newRoster } from "../programs/worker-roster.js";

const ADMIN = { BUDGETKIT_ADMIN_EMAIL: "ana@example.org", BUDGETKIT_ADMIN_PASSWORD: "correct horse" };
const SECRET = { BUDGETKIT_SECRET: "a secret of at least thirty-two characters" };
const WAIT = { timeout: 120_000, interval: 50 };
const BUDGETS = "/api/public/budgets";
const KILLED_WORKERS = rounds({ small: 1, full: 3 });
const WORKERS = rounds({ small: 2, full: 3 });
/** Servers that lose PostgreSQL. */
const CUT_OFF_SERVERS = rounds({ small: 1, full: 2 });
/** A worker that is killed early is replaced after five seconds, which pass sooner here: not of the time of requests. */
const EARLY_ENDS_SOON =
  "const now = performance.now.bind(performance); if (!process.env.NODE_UNIQUE_ID) performance.now = () => 100 * now();";
/** The refusals that other tests of a small run prove for one process run only in full. */
const REFUSED_AS = SCALE === "full" ? ["1", "3"] : ["3"];

let main = "";
/** Stopped and restarted by a test. It asks every user but the administrator for a password. */
let postgres: PostgresServer;
let folder = "";
beforeAll(async () => {
  main = await quickServer();
  folder = mkdtempSync(join(tmpdir(), "budgetkit-"));
  chmodSync(folder, 0o755);
  const rules = join(folder, "hba.conf");
  writeFileSync(rules, "local all postgres trust\nlocal all all scram-sha-256\n");
  postgres = await startPostgres({ isDurable: true, settings: { hba_file: rules } });
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const serve = (database: Pick<FreshDatabase, "url">, environment = {}) =>
  startProgram(main, { PORT: "0", DATABASE_URL: database.url, ...SECRET, ...environment });

describe("standalone servers on one PostgreSQL", () => {
  it("servers print the first steps once, share keys and revocations, and serve when another one is killed", async () => {
    const database = await freshDatabase();
    const first = serve(database, ADMIN);
    const one = await first.url;
    const said = await paste(linesToPaste(first.printed()), ADMIN);
    const shown = /^API key: (bgk_live_\S+)$/m.exec(said)?.[1] ?? "";
    const approved = JSON.parse(said.trim().split("\n").at(-1) ?? "").data;
    expect(approved.status).toBe("APPROVED");

    const second = serve(database, ADMIN);
    const other = await second.url;
    expect(second.printed()).toMatch(
      /^Budgetkit listens on .*\nDashboard, .*\nThe API is at .*(?:\nReference, .*)?\n$/,
    );
    const { status, body } = await ask(other, shown, "GET", BUDGETS);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([{ id: approved.id, status: "APPROVED" }]);

    const owner = await logIn(one);
    const [kept, revoked] = [await makeKey(one, owner), await makeKey(one, owner)];
    for (const url of [other, one]) expect((await ask(url, revoked.key, "GET", BUDGETS)).status).toBe(200);
    expect((await ask(one, owner, "DELETE", `/api-keys/${revoked.id}`)).status).toBeLessThan(300);
    for (const url of [other, one]) expect((await ask(url, revoked.key, "GET", BUDGETS)).status).toBe(401);

    expect((await ask(one, kept.key, "POST", BUDGETS, aBudget)).status).toBe(201);
    first.signal("SIGKILL");
    expect(await first.end).toBe("SIGKILL");
    expect((await ask(other, kept.key, "POST", BUDGETS, aBudget)).status).toBe(201);
    expect((await ask(other, kept.key, "GET", BUDGETS)).body.pagination.total).toBe(3);
    second.signal("SIGTERM");
    expect(await second.end).toBe(0);
  });

  it("servers answer 503 while PostgreSQL is away, after SIGKILL and after SIGINT, and serve again when it is back", async () => {
    const database = await freshDatabase(postgres.url);
    const programs = Array.from({ length: CUT_OFF_SERVERS }, () =>
      serve(database, { ...ADMIN, BUDGETKIT_LOG_LEVEL: "info" }),
    );
    const urls = await Promise.all(programs.map(({ url }) => url));
    const { key } = await makeKey(urls[0] ?? "", await logIn(urls[0] ?? ""));
    await Promise.all(urls.map((url) => expectToServe(url, key)));
    for (const signal of ["SIGKILL", "SIGINT"] as const) {
      postgres.process.kill(signal);
      await Promise.all(urls.map((url) => expectToRefuse(url, key)));
      await postgres.restart();
      await Promise.all(urls.map((url) => expectToServe(url, key)));
      for (const program of programs) await expect.poll(() => loggedBy(program), WAIT).toMatch(/e$/);
    }
    for (const program of programs) {
      expect(loggedBy(program), program.printed()).toMatch(/^(?:br*e){2,}$/);
      program.signal("SIGTERM");
      expect(await program.end).toBe(0);
    }
  });
});

describe("a standalone server of several processes", () => {
  it("a server of several processes serves on one port, replaces a killed one, and ends with the first", async () => {
    const database = await migratedDatabase();
    const roster = newRoster(EARLY_ENDS_SOON);
    const program = serve(database, { ...ADMIN, ...roster.environment, WEB_CONCURRENCY: String(WORKERS) });
    const url = await program.url;
    expect(program.printed().match(/listens on/g)).toHaveLength(1);
    const workers = roster.workers();
    expect(workers).toHaveLength(WORKERS);
    expect(await connectionsTo(database)).toBeGreaterThanOrEqual(WORKERS);
    const { key } = await makeKey(url, await logIn(url));
    for (let count = 0; count < 9; count += 1) expect((await create(url, key)).status).toBe(201);

    for (const worker of workers.slice(0, KILLED_WORKERS)) {
      const served = servedAgain(program);
      process.kill(worker, "SIGKILL");
      await expect.poll(program.printed, WAIT).toContain(`A worker process ended (${worker})`);
      const release = await database.lock("migrations"); // a process reads it when it starts, and requests do not
      await expect.poll(() => isAwaited(database, "migrations"), WAIT).toBe(true);
      for (let count = 0; count < 9; count += 1) expect((await create(url, key)).status).toBe(201); // by one of the others
      await release();
      await expect.poll(() => servedAgain(program), WAIT).toBe(served + 1);
    }
    for (let count = 0; count < 9; count += 1) expect((await create(url, key)).status).toBe(201);
    expect((await ask(url, key, "GET", BUDGETS)).body.pagination.total).toBe(18 + 9 * KILLED_WORKERS);
    expect(roster.workers()).toHaveLength(WORKERS + KILLED_WORKERS);

    program.signal("SIGKILL");
    await expect.poll(() => connectionsTo(database), WAIT).toBe(0);
    await expect.poll(() => isServed(url), WAIT).toBe(false);
  });

  it("a server of several processes stops on SIGTERM while it starts", async () => {
    const database = await freshDatabase();
    const roster = newRoster();
    const program = serve(database, { ...ADMIN, ...roster.environment, WEB_CONCURRENCY: "3" });
    await expect.poll(roster.workers, WAIT).toHaveLength(1);
    program.signal("SIGTERM");
    expect(await program.end).toBe(0);
    await expect.poll(() => connectionsTo(database), WAIT).toBe(0);
    expect(roster.workers()).toHaveLength(1);
    expect(program.printed()).toBe("");
  });

  it("finishes the requests of the first process on SIGTERM while the others start", async () => {
    const database = await migratedDatabase();
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
    expect(await connectionsTo(database)).toBe(0);
    expect(program.printed()).toBe("");
  });
});

describe("a standalone server refuses to start", () => {
  const refused = async (environment: Readonly<Record<string, string>>): Promise<string> => {
    const program = startProgram(main, { PORT: "0", ...environment });
    expect(await program.end).toBe(1);
    expect(program.printed()).not.toMatch(/ {4}at |listens on|a replacement starts/);
    expect(program.printed().trim().split("\n")).toHaveLength(environment.BUDGETKIT_SECRET === undefined ? 2 : 1);
    return program.printed();
  };
  /** What `migrate` prints about a database that it cannot use: the same as a server, without the start of a process. */
  const migrated = async (url: string): Promise<string> => {
    const { code, complaints } = await runCommand(["migrate", "--database-url", url], { folder: tmpdir() });
    expect(code).toBe(1);
    return complaints;
  };

  // standalone/settings.test.ts shows the refusal in a small run, and standalone/server.test.ts that a process ends with it
  it.runIf(SCALE === "full").each(["1", "3"])("%s processes need a secret to start", async (WEB_CONCURRENCY) => {
    expect(await refused({ WEB_CONCURRENCY, DATABASE_URL: postgres.url })).toContain("  BUDGETKIT_SECRET must be set");
  });

  it("refuses to start with a wrong password, which it does not print", async () => {
    await runOn(postgres.url, "CREATE ROLE app LOGIN PASSWORD 'right'");
    const printed = await migrated(postgres.url.replace("postgres@", "app:wrong%21horse@"));
    expect(printed).toMatch(/^DATABASE_URL cannot be used: PostgreSQL refused the user or the password \(.*"app"\)\n$/);
    const allowed = await migrated(postgres.url.replace("postgres@", "app:right@"));
    expect(allowed).toMatch(/^DATABASE_URL cannot be used: the user may not make or use the schema /);
  });

  // the next one but one shows in a small run that several processes pass on such a line
  it("refuses to start with a database that does not exist", async () => {
    const DATABASE_URL = postgres.url.replace("/postgres?", "/nowhere?");
    const line = 'DATABASE_URL cannot be used: PostgreSQL has no such database (database "nowhere" does not exist)\n';
    expect(await migrated(DATABASE_URL)).toBe(line);
    for (const WEB_CONCURRENCY of SCALE === "full" ? REFUSED_AS : []) {
      expect(await refused({ ...SECRET, WEB_CONCURRENCY, DATABASE_URL })).toBe(line);
    }
  });

  it("refuses to start where nothing listens, on an unknown host, and with a wrong URL, and prints no password", async () => {
    const port = await freePort();
    for (const [url, words] of [
      [`postgres://app:horse@localhost:${port}/b`, /^DATABASE_URL cannot be used: no PostgreSQL listens there \(/],
      [`postgres://app:horse@127.0.0.1:${port}/b`, /^DATABASE_URL cannot be used: no PostgreSQL listens there \(/],
      [`postgres://app:horse@/b?host=${encodeURIComponent(temporaryFolder())}`, /: no PostgreSQL listens there \(/],
      ["postgres://app:horse@host.invalid/b", /: (?:there is no such host|the name of the host cannot be resolved) \(/],
      ["postgres://app:ho#rse/@localhost/b", /: it is no URL; /],
    ] as const) {
      const printed = await migrated(url);
      expect(printed).toMatch(words);
      expect(printed).not.toMatch(/horse|ho#rse/);
    }
  });

  // standalone/server.test.ts shows it for one process in a small run
  it.each(REFUSED_AS)("refuses to start on a port that is in use, as %s processes", async (WEB_CONCURRENCY) => {
    const port = await takenPort();
    const database = await migratedDatabase();
    const said = await refused({ ...SECRET, WEB_CONCURRENCY, DATABASE_URL: database.url, PORT: port });
    expect(said).toContain(`PORT ${port} is in use on 127.0.0.1.`);
  });
});

const aBudget = { customerId: "ana", items: [{ description: "Chair", quantity: 4, unitPrice: 79.5 }] };

function lives(pid = Number.NaN): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The number of replaced workers. */
function servedAgain(program: RunningProgram): number {
  return program.printed().match(/A replacement worker process serves \(\d+\)/g)?.length ?? 0;
}

async function isAwaited({ query }: FreshDatabase, table: string): Promise<boolean> {
  return (await query(`SELECT FROM pg_locks WHERE NOT granted AND relation = '@${table}'::regclass`)).length > 0;
}

async function connectionsTo({ query }: FreshDatabase): Promise<number> {
  const rows = await query(
    "SELECT FROM pg_stat_activity WHERE application_name = 'budgetkit' AND datname = current_database()",
  );
  return rows.length;
}

/** Creates a budget on a new connection, which another process may accept. */
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
  return (await fetch(url, { headers: { connection: "close" } })).status;
}

/** The kinds of lines that a server logs of outages, a letter each. Rounds of maintenance that fail are left out. */
const LOG_LINES: readonly (readonly [kind: string, line: RegExp])[] = [
  ["b", /^\S+Z error The store cannot serve: PostgreSQL cannot serve: /], // an outage begins
  ["r", /^\S+Z error The store cannot serve either: PostgreSQL cannot serve: /], // it has another reason
  ["e", /^\S+Z info The store serves again after \d+ s, in which \d+ /], // it ends
  ["", /^\S+Z error AggregateError: /],
  ["", /^\S+Z info migrat(?:ing|ed) the schema steps=\d+/],
  ["", /^\S+Z info (?:GET|POST) \/\S+ \d+ in /], // a request
];

/** What a program has logged, a letter for each line; `?` is a line of no known kind. */
function loggedBy(program: RunningProgram): string {
  const lines = program.printed().match(/^\d{4}-\S+Z .*$/gm) ?? [];
  return lines.map((line) => LOG_LINES.find(([, pattern]) => pattern.test(line))?.[0] ?? "?").join("");
}

async function expectToServe(url: string, key: string): Promise<void> {
  await expect.poll(() => statusOf(`${url}/readyz`), WAIT).toBe(200);
  expect((await ask(url, key, "POST", BUDGETS, aBudget)).status).toBe(201);
  expect((await ask(url, key, "GET", BUDGETS)).status).toBe(200);
}

async function expectToRefuse(url: string, key: string): Promise<void> {
  await expect.poll(() => statusOf(`${url}/readyz`), WAIT).toBe(503);
  expect(await statusOf(`${url}/healthz`)).toBe(200);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", connection: "close" };
  for (const [method, body] of [
    ["POST", JSON.stringify(aBudget)],
    ["GET", null],
  ] as const) {
    const refused = await fetch(`${url}/v1${BUDGETS}`, { method, headers, body });
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  }
}

function isServed(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`, { headers: { connection: "close" } }).then(
    () => true,
    () => false,
  );
}
