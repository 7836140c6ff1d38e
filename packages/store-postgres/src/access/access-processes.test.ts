import {
  insertBusinessCommit,
  insertKeyCommit,
  insertUserCommit,
  NO_KEY_LIMITS,
  openSessionCommit,
  refreshSessionCommit,
  replaceKeyCommit,
  type Store,
  touchKeyCommit,
} from "@budgetkit/core/store";
import { aBusiness, anApiKey, aSession, aUsageRow, aUser, FIXTURE_TIME as NOW, outcomeOf } from "@budgetkit/testing";
import type pg from "pg";
import { describe, expect, it } from "vitest";
import { nameIn } from "../engine/session.js";
import { testSchema } from "../testing/test-schema.js";

const MINUTE_MS = 60_000;

/** Stores that share a schema stand for processes: nothing but PostgreSQL is between them. */
describe("several processes on one PostgreSQL", () => {
  const schema = testSchema();
  const named = nameIn(schema.schema);

  async function stores(count: number): Promise<readonly [Store, ...Store[]]> {
    await schema.freshStore();
    return [schema.open(), ...Array.from({ length: count - 1 }, () => schema.open())];
  }

  function isTaken(outcome: unknown): boolean {
    return typeof outcome === "object";
  }

  /** What each store answers to each of `count` calls, all of them at once. */
  function allAtOnce<T>(of: readonly Store[], count: number, call: (store: Store, index: number) => Promise<T>) {
    const calls = Array.from({ length: count }, (_, index) =>
      of.map((store, turn) => call(store, index * of.length + turn)),
    );
    return Promise.all(calls.flat());
  }

  it("several processes let one user have an email, across businesses", async () => {
    const outcomes = await allAtOnce(await stores(4), 10, (store, index) =>
      outcomeOf(store, insertUserCommit(aUser({ businessId: `${1 + index}`, id: `${100 + index}` }))),
    );
    expect(outcomes.filter((outcome) => outcome === "written")).toHaveLength(1);
    expect(outcomes.filter(isTaken)).toHaveLength(39);
  });

  it("several processes let one user have each email when they come in opposite orders", async () => {
    const [one] = await stores(1);
    const other = schema.open();
    const insert = (store: Store, businessId: string, number: number) =>
      outcomeOf(
        store,
        insertUserCommit(aUser({ businessId, id: `${100 + number}`, emailKey: `${number}@example.com` })),
      );
    const numbers = Array.from({ length: 50 }, (_, number) => number);
    const outcomes = await Promise.all([
      ...numbers.map((number) => insert(one, "1", number)),
      ...numbers.map((number) => insert(other, "2", 49 - number)),
    ]);
    expect(outcomes.filter((outcome) => outcome === "written")).toHaveLength(50);
    expect(outcomes.filter(isTaken)).toHaveLength(50);
  });

  it("several processes rotate a refresh token once", async () => {
    const all = await stores(4);
    await all[0]?.commit(insertUserCommit(aUser()));
    await all[0]?.commit(openSessionCommit(aSession(), aUser().passwordHash));
    const outcomes = await allAtOnce(all, 5, (store, index) =>
      outcomeOf(
        store,
        refreshSessionCommit(
          {
            businessId: "1",
            sessionId: "40",
            expectedHash: "hash-of-refresh-1",
            newHash: `${index}`,
            newExpiresAt: NOW + 1,
          },
          NOW,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "written")).toHaveLength(1);
  });

  it("several processes never exceed the limit on keys with a webhookUrl (webhook-limit)", async () => {
    const outcomes = await allAtOnce(await stores(4), 5, (store, index) =>
      outcomeOf(
        store,
        insertKeyCommit(anApiKey({ id: `${20 + index}`, webhookUrl: "https://shop.example/hooks" }), {
          ...NO_KEY_LIMITS,
          withWebhook: 7,
        }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "written")).toHaveLength(7);
    expect(outcomes.filter((outcome) => outcome === "webhook-limit")).toHaveLength(13);
  });

  it("several processes refuse a key by either digest from the first request after a revocation", async () => {
    const [one, other] = await stores(2);
    const key = anApiKey({ keyHash: "new", previousKeyHash: "former" });
    await one?.commit(insertBusinessCommit(aBusiness()));
    await one?.commit(insertKeyCommit(key));
    for (let version = 1; version <= 20; version += 1) {
      const status = version % 2 === 1 ? "REVOKED" : "ACTIVE";
      expect(await other?.findKeyByHash("new")).toMatchObject({ version });
      expect(await outcomeOf(one, replaceKeyCommit({ ...key, version: version + 1, status }, version))).toBe("written");
      expect(await other?.findKeyByHash("new")).toMatchObject({ status });
      expect(await other?.findKeyByHash("former")).toMatchObject({ status });
    }
  });

  it("several processes keep the latest use of a key", async () => {
    const all = await stores(4);
    await all[0]?.commit(insertKeyCommit(anApiKey()));
    await allAtOnce(all, 10, (store, index) =>
      store.commit(touchKeyCommit("1", "20", NOW + ((index * 7) % 40) * MINUTE_MS)),
    );
    expect((await all[0]?.findKey("1", "20"))?.lastUsedAt).toBe(NOW + 39 * MINUTE_MS);
  });

  it("several processes add up usage in any order without loss", async () => {
    const all = await stores(4);
    const rows = Array.from({ length: 1_000 }, (_, index) =>
      aUsageRow({ path: `/${index % 10}`, at: NOW + index, requests: 1 }),
    );
    const orders = [rows, [...rows].reverse(), [...rows.slice(500), ...rows.slice(0, 500)]];
    await allAtOnce(all, 5, (store, index) => store.addUsage(orders[index % 3] ?? []));
    const sums = await all[0]?.sumUsage("1", "20", [{ grain: "minute", from: NOW, until: NOW + 1_000 }]);
    expect(sums?.moments.filter(({ requests }) => requests === 20)).toHaveLength(1_000);
    expect(sums?.routes.map(({ requests }) => requests)).toEqual(Array.from({ length: 10 }, () => 2_000));
  });

  it("several processes give uploads no more room than there is", async () => {
    const decisions = await allAtOnce(await stores(4), 10, (store, index) =>
      store.holdUpload("upload:1:20", { id: `${index}`, needed: 7, wanted: 7 }, { lengthMs: 1_000, limit: 100 }, NOW),
    );
    expect(decisions.filter(({ held }) => held === 7)).toHaveLength(14);
  });

  /** Runs `work` while `changed`, a statement of another transaction, has neither been committed nor undone. */
  async function beside<T>(
    changed: string,
    work: () => Promise<T>,
    whileWaiting = async (_client: pg.PoolClient) => {},
  ) {
    const client = await schema.pool.connect();
    try {
      await client.query(`BEGIN; ${named(changed)}`);
      let isAnswered = false;
      const answer = work().finally(() => {
        isAnswered = true;
      });
      while (!(isAnswered || (await isOneWaiting()))) {} // asks the server again and again
      expect(isAnswered).toBe(false);
      await whileWaiting(client);
      await client.query("COMMIT");
      return await answer;
    } finally {
      client.release();
    }
  }

  async function isOneWaiting(): Promise<boolean> {
    const waiting = await schema.query(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  }

  it("an upload waits for a concurrent decision on the same key", async () => {
    const [store] = await stores(1);
    const decision = await beside("SELECT @hold_upload('upload:1:20', 'a', 90, 90, 1000, 100, 5)", async () =>
      store?.holdUpload("upload:1:20", { id: "b", needed: 5, wanted: 50 }, { lengthMs: 1_000, limit: 100 }, 5),
    );
    expect(decision).toEqual({ held: 10, room: 0, fitsAt: 5 });
  });

  it("a user waits for a concurrent one with the same email (taken)", async () => {
    const [store] = await stores(1);
    const added = `INSERT INTO @users VALUES (7, 7, 'A', 'ana', 'Ana', NULL, 'ADMIN', true, 'hash', 1);
      INSERT INTO @directory VALUES ('email', 'ana', 7, 7)`;
    const refused = { taken: "email", value: "ana" };
    expect(await beside(added, () => outcomeOf(store, insertUserCommit(aUser({ emailKey: "ana" }))))).toEqual(refused);
  });

  it("a session waits for a concurrent password reset, and begins none on the old one (stale)", async () => {
    const [store] = await stores(1);
    await store?.commit(insertUserCommit(aUser()));
    const reset = `SELECT @lock_business(1, 0);
      UPDATE @users SET version = 2, password_hash = 'new-hash' WHERE business_id = 1 AND id = 30`;
    const begun = await beside(reset, () => outcomeOf(store, openSessionCommit(aSession(), aUser().passwordHash)));
    expect(begun).toBe("stale");
    expect(await store?.findSession("1", "40")).toBeNull();
  });

  it("locks rows of usage in one order, so that none waits while it has what another waits for", async () => {
    const [store] = await stores(1);
    const rows = Array.from({ length: 20 }, (_, index) => aUsageRow({ path: `/${99 - index}` }));
    await store?.addUsage(rows);
    await beside(
      "UPDATE @usage SET requests = 0 WHERE path = '/80'",
      async () => store?.addUsage(rows),
      async (client) => {
        const free = await client.query(named("SELECT path FROM @usage WHERE path > '/80' FOR UPDATE NOWAIT"));
        expect(free.rowCount).toBe(19);
      },
    );
  });
});
