import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertBudgetCommit, type Store, StoreUnavailable } from "@budgetkit/core/store";
import { aBudget, anEvent, outcomeOf } from "@budgetkit/testing";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type TestContext, vi } from "vitest";
import { postgresStore } from "../index.js";
import { type PostgresServer, startPostgres } from "../testing/postgres-server.js";
import { runOn } from "../testing/run-on.js";

describe("when PostgreSQL cannot serve", () => {
  let server: PostgresServer;
  let store: Store;
  let ids = 100;

  beforeAll(async () => {
    server = await startPostgres({ settings: { max_connections: "20" } });
  });

  afterAll(() => server.stop());

  /** Each test leaves the server serving. */
  beforeEach(async () => {
    store = postgresStore(server.url);
    await store.migrate();
  });

  afterEach(() => store.close());

  const write = () =>
    outcomeOf(store, insertBudgetCommit(aBudget({ id: String(ids++) }), { events: [anEvent({ id: String(ids) })] }));
  const read = () => store.findBudget("1", "99");

  async function asSuperuser(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  async function expectAway(): Promise<void> {
    await expect(write()).rejects.toThrow(StoreUnavailable);
    await expect(read()).rejects.toThrow(StoreUnavailable);
    expect(await store.findOutage()).not.toBeNull();
  }

  async function expectBack(): Promise<void> {
    expect(await write()).toBe("written");
    expect(await read()).toBeNull();
    await expect.poll(() => store.findOutage(), { timeout: 5_000 }).toBeNull(); // an outcome is kept for a second
  }

  it("a server that was killed is one that cannot serve, until it is back", async () => {
    await expectBack();
    server.process.kill("SIGKILL");
    await expect.poll(() => write().then(String, String)).toContain("StoreUnavailable"); // once its processes have noticed
    await expectAway();
    await server.restart();
    await expectBack();
  });

  it("a restart in the midst of writes fails none that it has committed, and keeps those that were acknowledged", async () => {
    const given = Array.from({ length: 400 }, (_, index) => String(10_000 + index));
    const insert = (id: string) => outcomeOf(store, insertBudgetCommit(aBudget({ id }))).catch(() => null);
    const acknowledged: unknown[] = [];
    for (const id of given.slice(0, 100)) acknowledged.push(await insert(id));
    server.process.kill("SIGINT");
    const duringRestart = given.slice(100).map(insert);
    await server.restart();
    acknowledged.push(...(await Promise.all(duringRestart)));
    for (const [index, id] of given.entries()) {
      if (acknowledged[index] === "written") expect(await store.findBudget("1", id)).not.toBeNull();
    }
    expect(acknowledged.filter((outcome) => outcome === "written").length).toBeGreaterThan(0);
    await expectBack();
  });

  it("replaces connections that the server closes, without a failed call", async () => {
    await expectBack();
    await asSuperuser("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'budgetkit'");
    await expectBack();
  });

  it("a server that is read-only refuses writes and serves reads, until it is no longer", async () => {
    await asSuperuser("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()");
    await expect.poll(() => write().then(String, (error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
    expect(await read()).toBeNull();
    expect(await store.findOutage()).toContain("read-only transaction");
    await asSuperuser(
      "SET default_transaction_read_only = off",
      "ALTER SYSTEM RESET default_transaction_read_only",
      "SELECT pg_reload_conf()",
    );
    await expect.poll(() => write().then(String, (error: unknown) => error)).toBe("written");
    await expect.poll(() => store.findOutage(), { timeout: 5_000 }).toBeNull(); // an outcome is kept for a second
  });

  it("a primary whose synchronous standby is away is not ready: one write finds it for all who ask, until commits return", async () => {
    await expectBack();
    await asSuperuser("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
    const reasons = () => Promise.all([store.findOutage(), store.findOutage(), store.findOutage()]);
    const waits = expect.stringContaining("a commit has waited");
    await expect.poll(reasons, { timeout: 20_000 }).toEqual([waits, waits, waits]);
    const waiting = "SELECT count(*)::integer AS probes FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    expect(await runOn(server.url, waiting)).toEqual([{ probes: 1 }]);
    await asSuperuser("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
    await expectBack();
  });

  it("a role that may only read is one that cannot write", async () => {
    await asSuperuser(
      "CREATE ROLE reader LOGIN",
      "GRANT USAGE ON SCHEMA budgetkit TO reader",
      "GRANT SELECT ON ALL TABLES IN SCHEMA budgetkit TO reader",
    );
    const reader = postgresStore(server.url.replace("postgres@", "reader@"), { listen: false });
    expect(await reader.findOutage()).toContain("permission denied");
    await reader.close();
  });

  it("a pool without a free connection is one that cannot serve", async () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 1, connectionTimeoutMillis: 300 });
    pool.on("error", () => {}); // its connections may outlive it by the moment in which the server is stopped
    const others = postgresStore(pool);
    const taken = await pool.connect();
    await expect(others.findBudget("1", "99")).rejects.toThrow(StoreUnavailable);
    await expect(others.commit(insertBudgetCommit(aBudget({ id: String(ids++) })))).rejects.toThrow(StoreUnavailable);
    taken.release();
    expect(await outcomeOf(others, insertBudgetCommit(aBudget({ id: String(ids++) })))).toBe("written");
    await others.close();
    await pool.end();
  });

  it("a pool that is busy is ready, also while no connection is free; one that gives none back is not", async () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 1 });
    pool.on("error", () => {});
    const others = postgresStore(pool, { listen: false });
    const first = await pool.connect();
    const next = pool.connect();
    const whileBusy = others.findOutage();
    first.release();
    const second = await next; // keeps the pool without a free connection
    expect(await whileBusy).toBeNull();

    const { now } = performance;
    const later = vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 6_000);
    expect(await others.findOutage()).toContain("no connection of the pool became free");
    second.release();
    expect(await others.findOutage()).toBeNull();
    later.mockRestore();
    expect(pool.listenerCount("release")).toBe(1);
    await others.close();
    expect(pool.listenerCount("release")).toBe(0);
    await pool.end();
  });

  it("a server with no connection left is one that cannot serve", async () => {
    await store.close();
    await asSuperuser("CREATE ROLE limited LOGIN", "GRANT ALL ON SCHEMA budgetkit TO limited");
    const hoarders = await Promise.all(
      Array.from({ length: 17 }, async () => {
        const client = new pg.Client({ connectionString: server.url });
        client.on("error", () => {});
        await client.connect().catch(() => {});
        return client;
      }),
    );
    store = postgresStore(server.url.replace("postgres@", "limited@"));
    await expectAway();
    await Promise.all(hoarders.map((client) => client.end()));
  });

  it("a server that hangs is given up on", async () => {
    const pool = new pg.Pool({
      connectionString: server.url,
      max: 4,
      query_timeout: 100,
      connectionTimeoutMillis: 100,
    });
    pool.on("error", () => {});
    const others = postgresStore(pool);
    expect(await others.findBudget("1", "99")).toBeNull();
    const { rows } = await pool.query("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'");
    for (const { pid } of rows) process.kill(pid, "SIGSTOP");
    await expect(others.findBudget("1", "99")).rejects.toThrow(StoreUnavailable);
    await expect(others.findBudget("1", "99").then(String)).resolves.toBe("null"); // on a connection that does not hang
    for (const { pid } of rows) process.kill(pid, "SIGCONT");
    await others.close();
    await pool.end();
  });

  it("a full disk refuses writes, keeps what there is, and is over when there is room", async (context) => {
    const folder = smallDisk(context);
    await asSuperuser(
      `CREATE TABLESPACE small LOCATION '${folder}'`,
      "ALTER TABLE budgetkit.budgets SET TABLESPACE small",
    );
    const large = (id: string) =>
      store.commit(insertBudgetCommit(aBudget({ id, notes: incompressible(60_000) }), { events: [anEvent({ id })] }));
    const acknowledged: string[] = [];
    let refusal: unknown = null;
    for (let id = 20_001; id < 20_200 && refusal === null; id += 1) {
      await large(String(id)).then(
        () => acknowledged.push(String(id)),
        (error: unknown) => {
          refusal = error;
        },
      );
    }
    expect(refusal).toBeInstanceOf(StoreUnavailable);
    for (const id of acknowledged) expect(await store.findBudget("1", id)).not.toBeNull();
    await asSuperuser("ALTER TABLE budgetkit.budgets SET TABLESPACE pg_default", "DROP TABLESPACE small");
    await expectBack();
  });
});

/** A disk of a few megabytes; the case is skipped where this process may not make one. */
function smallDisk(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-small-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], { stdio: "pipe" });
  } catch {
    rmSync(folder, { recursive: true });
    context.skip("making a small disk needs the right to mount one");
  }
  context.onTestFinished(() => {
    execFileSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true });
  });
  if (process.getuid?.() === 0) chownSync(folder, 65_534, 65_534);
  return folder;
}

/** Text of ASCII letters that PostgreSQL cannot make smaller. */
function incompressible(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCharCode(33 + ((state >>> 16) % 90));
  }).join("");
}
