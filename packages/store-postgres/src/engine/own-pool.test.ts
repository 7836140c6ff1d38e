import { insertBudgetCommit, insertEndpointCommit } from "@budgetkit/core/store";
import { aBudget, anEndpoint, anEvent, outcomeOf } from "@budgetkit/testing";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { postgresStore } from "../index.js";
import { freshDatabase } from "../testing/fresh-database.js";
import { noPgBouncer, noPreparedStatements, startPgBouncer } from "../testing/pgbouncer.js";
import { openOwnPool } from "./own-pool.js";

const TRANSACTIONS = { pool_mode: "transaction" };

const insertion = (id: number) =>
  insertBudgetCommit(aBudget({ id: String(id), publicTokenHash: null }), { events: [anEvent({ id: String(id) })] });

function ownStore(url: string) {
  const store = postgresStore(url);
  onTestFinished(() => store.close());
  return store;
}

function ownPool(url: string) {
  const opened = openOwnPool(url);
  opened.pool.on("error", () => {}); // an idle connection may still close while its database is dropped
  onTestFinished(() => opened.pool.end());
  return opened;
}

const timeoutOf = async (client: pg.Pool | pg.Client): Promise<unknown> =>
  (await client.query("SELECT current_setting('statement_timeout') AS timeout")).rows[0]?.timeout;

describe("a connection string to PostgreSQL itself", () => {
  it("limits the time of statements, unless the URL or the role has a limit", async () => {
    const { url } = await freshDatabase();
    const direct = ownPool(url);
    expect(await direct.keepsSessions()).toBe(true);
    expect(await timeoutOf(direct.pool)).toBe("15s");
    expect(await timeoutOf(ownPool(`${url}&statement_timeout=7000`).pool)).toBe("7s");
  });
});

describe.skipIf(noPgBouncer !== null)("a connection string to PgBouncer", () => {
  it("a URL of PgBouncer works in session mode with the default settings, and listens", async () => {
    const database = await freshDatabase();
    const url = await startPgBouncer(database.url, {});
    const store = ownStore(url);
    await store.migrate();
    await store.commit(insertEndpointCommit(anEndpoint()));
    const notified = vi.fn();
    store.onWork?.(notified);
    await vi.waitFor(() => expect(notified).toHaveBeenCalledTimes(1), { timeout: 10_000 }); // it listens
    expect(await outcomeOf(ownStore(database.url), insertion(12))).toBe("written");
    await vi.waitFor(() => expect(notified).toHaveBeenCalledTimes(2), { timeout: 10_000 });
    expect(await store.findBudget("1", "12")).toMatchObject({ id: "12" });
    expect(await timeoutOf(ownPool(url).pool)).toBe("15s");
  });

  it("refuses PgBouncer in transaction mode without prepared statements", async () => {
    const settings = noPreparedStatements === null ? { max_prepared_statements: "0" } : {};
    const url = await startPgBouncer((await freshDatabase()).url, { ...TRANSACTIONS, ...settings });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(ownStore(url).migrate()).rejects.toThrow(
        /^PgBouncer runs in transaction mode without prepared statements: set pool_mode = session, or /,
      );
    }
  });

  it.skipIf(noPreparedStatements !== null)(
    "a URL of PgBouncer works in transaction mode, and leaves no listener and no setting on shared connections",
    async () => {
      const settings = { ...TRANSACTIONS, default_pool_size: "2", max_prepared_statements: "100" };
      const url = await startPgBouncer((await freshDatabase()).url, settings);
      const store = ownStore(url);
      await store.migrate();
      await store.commit(insertEndpointCommit(anEndpoint()));
      const notified = vi.fn();
      store.onWork?.(notified);
      const ids = Array.from({ length: 40 }, (_, index) => 100 + index);
      expect(await Promise.all(ids.map((id) => outcomeOf(store, insertion(id))))).toEqual(ids.map(() => "written"));
      const found = await Promise.all(ids.map((id) => store.findBudget("1", String(id))));
      expect(found.map((budget) => budget?.id)).toEqual(ids.map(String));
      const clients = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
      for (const client of clients) {
        await client.connect();
        await client.query("BEGIN"); // holds one of the two connections
        expect((await client.query("SELECT pg_listening_channels()")).rows).toEqual([]);
        expect(await timeoutOf(client)).toBe("0");
      }
      await Promise.all(clients.map((client) => client.end()));
      expect(notified).not.toHaveBeenCalled();
    },
  );
});
