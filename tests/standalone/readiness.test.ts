import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../../packages/store-sqlite/src/engine/database.js";
import { damage } from "../../packages/store-sqlite/src/testing/damaged-file.js";
import { ask } from "../programs/api-client.js";
import { quickServer } from "../programs/build-programs.js";
import { type Environment, startProgram, temporaryFolder } from "../programs/running-program.js";
import { serveHere } from "../programs/server-here.js";

const OWNER = { BUDGETKIT_ADMIN_EMAIL: "ana@example.org", BUDGETKIT_ADMIN_PASSWORD: "correct horse" };

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

/** A database in a file, and the settings of a server on it. */
function installation(): { path: string; settings: Environment } {
  const path = join(temporaryFolder(), "b.db");
  return { path, settings: { ...OWNER, DATABASE_URL: `file:${path}` } };
}

async function keyOf(url: string): Promise<string> {
  const credentials = { email: OWNER.BUDGETKIT_ADMIN_EMAIL, password: OWNER.BUDGETKIT_ADMIN_PASSWORD };
  const login = await ask(url, "", "POST", "/auth/login", credentials);
  const scopes = ["READ_BUDGETS", "WRITE_BUDGETS"];
  const made = await ask(url, login.body.access_token, "POST", "/api-keys", { name: "shop", scopes });
  return made.body.key;
}

const BUDGETS = "/api/public/budgets";

const createBudget = (url: string, key: string) =>
  ask(url, key, "POST", BUDGETS, {
    customerId: "ana",
    items: [{ description: "Oak table", quantity: 1, unitPrice: 10 }],
  });

async function readiness(url: string): Promise<{ status: number; reason?: string }> {
  const response = await fetch(`${url}/readyz`);
  const { reason } = JSON.parse(await response.text());
  return { status: response.status, reason };
}

describe("a server on a damaged database", () => {
  it("a server on a damaged database refuses writes, is not ready with the reason, and logs it in one line", async () => {
    const { path, settings } = installation();
    const first = await serveHere(settings);
    const key = await keyOf(first.url);
    expect(await createBudget(first.url, key)).toMatchObject({ status: 201 });
    await first.stop();
    damage(path, "budgetkit_budgets_by_creation");

    const { url } = await serveHere(settings);
    const logged: string[] = [];
    const stderr = vi.spyOn(process.stderr, "write").mockImplementation((line) => logged.push(String(line)) > 0);
    onTestFinished(() => stderr.mockRestore());
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await createBudget(url, key)).toMatchObject({ status: 503 });
    expect(await readiness(url)).toEqual({ status: 503, reason: expect.stringContaining("database file is damaged") });
    expect(logged).toEqual([expect.stringMatching(/"error".*"The store cannot serve: the database file is damaged/)]);
  });
});

/** The size up to which a process may write files: beyond it a write fails, as on a full disk. */
function limitFiles(pid: number, bytes: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`]);
}

type StartedServer = Awaited<ReturnType<typeof startedServer>>;

/** Starts a server in a process of its own, with a key and a budget. */
async function startedServer() {
  const { path, settings } = installation();
  const server = startProgram(main, { PORT: "0", ...settings });
  const url = await server.url;
  const key = await keyOf(url);
  expect(await createBudget(url, key)).toMatchObject({ status: 201 });
  expect(await readiness(url)).toEqual({ status: 200 });
  const untilStatus = (status: number) =>
    vi.waitFor(async () => expect(await readiness(url)).toMatchObject({ status }), { timeout: 30_000, interval: 100 });
  return { path, server, url, key, untilStatus };
}

/** Opens a database file of the server until the test ends. */
function openBeside(path: string) {
  const database = openDatabase(path);
  onTestFinished(() => void database.close());
  return database;
}

describe.runIf(process.platform === "linux")("a server that cannot write", () => {
  it("a server that cannot write is not ready until it can: full disk, full limiter, a lock of another", async () => {
    const started = await startedServer();
    await whileDiskIsFull(started);
    await whileLimiterHasNoRoom(started);
    await whileLockIsHeld(started);
  });
});

async function whileDiskIsFull({ server, url, key, untilStatus }: StartedServer): Promise<void> {
  limitFiles(server.pid, 1);
  await untilStatus(503);
  expect((await readiness(url)).reason).toContain("SQLite cannot serve");
  expect(await createBudget(url, key)).toMatchObject({ status: 503 });
  expect(await ask(url, key, "GET", BUDGETS)).toMatchObject({ status: 200, body: { data: [{ customerId: "ana" }] } });
  limitFiles(server.pid, "unlimited");
  await untilStatus(200);
  expect(await createBudget(url, key)).toMatchObject({ status: 201 });
}

/** Only the file of the limiter has no room: all requests are served. */
async function whileLimiterHasNoRoom({ path, server, url, key, untilStatus }: StartedServer): Promise<void> {
  const limits = openBeside(`${path}-limits`);
  const reader = openBeside(`${path}-limits`);
  reader.exec("BEGIN; SELECT count(*) FROM sqlite_schema"); // keeps the log from starting at its beginning again
  limits.exec(`CREATE TABLE padding AS SELECT zeroblob(${4 * 1024 * 1024}) AS bytes`);
  limitFiles(server.pid, 2 * 1024 * 1024);
  await untilStatus(503);
  expect(await createBudget(url, key)).toMatchObject({ status: 201 });
  expect(await ask(url, key, "GET", BUDGETS)).toMatchObject({ status: 200 });
  limitFiles(server.pid, "unlimited");
  await untilStatus(200);
}

/** Another process holds the lock. */
async function whileLockIsHeld({ path, url, untilStatus }: StartedServer): Promise<void> {
  const other = openBeside(path);
  other.exec("BEGIN IMMEDIATE");
  await untilStatus(503);
  expect((await readiness(url)).reason).toMatch(/locked|no answer/);
  other.exec("ROLLBACK");
  await untilStatus(200);
}
