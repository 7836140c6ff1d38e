import { createMemoryRateLimitStore, type RateLimitStore, type Store } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW, seededRandom } from "@budgetkit/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { type Connection, connectionOf } from "../commit/connection.js";
import { nameIn, sessionOn } from "../engine/session.js";
import { statementsIn } from "../engine/statements.js";
import { testSchema } from "../testing/test-schema.js";
import { postgresRateLimits } from "./rate-limits.js";

const HOUR_MS = 3_600_000;

describe("the limiter in PostgreSQL", () => {
  const schema = testSchema();
  let store: Store;

  beforeEach(async () => {
    store = await schema.freshStore();
  });

  const rowsIn = async (table: string) => Number((await schema.query(`SELECT count(*) FROM @${table}`))[0]?.count);

  /** A deadlock fails the test: the call is not retried. */
  function connectionThatRepeatsNothing(): Connection {
    return connectionOf({
      clock: "caller",
      session: sessionOn(schema.pool),
      named: nameIn(schema.schema),
      statements: statementsIn(nameIn(schema.schema)),
      runPiece: () => Promise.reject(new Error("no commit is expected")),
      inTransaction: () => Promise.reject(new Error("no transaction is expected")),
      callOnce: () => Promise.reject(new Error("no call is expected")),
      assertOpen: () => {},
      repeatsReads: false,
    });
  }

  it("the PostgreSQL limiter decides like the memory limiter, in order, for any clock and limits", async () => {
    const memory = createMemoryRateLimitStore();
    const random = seededRandom(7);
    const draw = (below: number) => ((random.bytes(2)[0] ?? 0) * 256 + (random.bytes(1)[0] ?? 0)) % below;
    const drawWindows = () => [
      { lengthMs: 2_000, limit: draw(10) === 0 ? 1 + draw(700) : 700 },
      { lengthMs: 400, limit: 150 + draw(60) },
    ];
    let now = NOW;
    let mostChunks = 0;
    for (let turn = 0; turn < 400; turn += 1) {
      const ofTurn = draw(2) === 0 ? drawWindows() : null; // calls that ask the same are decided together
      const asks = Array.from({ length: 1 + draw(60) }, () => {
        now += draw(5) === 0 ? draw(40) - 15 : draw(3);
        if (draw(4_000) === 0) now -= 1_900 + draw(200); // about as far as the longest window
        if (draw(2_000) === 0) now += draw(2_100);
        return [`key:1:${draw(20) === 0 ? 1 : 0}`, ofTurn ?? drawWindows(), now] as const;
      });
      const expected = await Promise.all(asks.map((ask) => memory.consume(...ask)));
      expect(await Promise.all(asks.map((ask) => store.consume(...ask)))).toEqual(expected);
      if (turn % 20 === 0) mostChunks = Math.max(mostChunks, await rowsIn("rate_chunks"));
      for (const subject of ["key:1:0", "key:1:1"]) {
        expect(await store.countConsumed(subject, 2_000, now)).toBe(await memory.countConsumed(subject, 2_000, now));
      }
    }
    expect(mostChunks).toBeGreaterThan(3);
  });

  it("the PostgreSQL limiter keeps the age of admissions when the database's clock is set back", async () => {
    const windows = [
      { lengthMs: HOUR_MS, limit: 200 },
      { lengthMs: 60_000, limit: 500 },
    ];
    const ahead = Date.now() + 30 * HOUR_MS;
    for (const at of [ahead - 60_000, ahead]) {
      await Promise.all(Array.from({ length: 100 }, () => store.consume("key:1:1", windows, at)));
    }
    expect(await rowsIn("rate_chunks")).toBe(1);
    const byDatabase = postgresRateLimits(connectionThatRepeatsNothing(), "database");
    expect(await byDatabase.countConsumed("key:1:1", HOUR_MS, Date.now())).toBe(200);
    const before = Date.now();
    const freesAt = before + HOUR_MS - 60_000;
    expect(await byDatabase.consume("key:1:1", windows, before)).toEqual({
      used: 200,
      freesAt,
      refusal: { window: 0, freesAt },
    });
    const narrowed = [
      { lengthMs: HOUR_MS, limit: 500 },
      { lengthMs: 60_000, limit: 101 }, // it counts 100
    ];
    const minuteFrees = async () => (await byDatabase.consume("key:1:1", narrowed, before)).refusal;
    expect(await minuteFrees()).toBeNull();
    const full = await minuteFrees();
    expect(full).toMatchObject({ window: 1 });
    expect(full?.freesAt).toBeGreaterThan(before);
    expect(full?.freesAt).toBeLessThanOrEqual(before + 60_000);
    const [subject] = await schema.query("SELECT idle_at FROM @rate_subjects");
    expect(Number(subject?.idle_at)).toBeLessThan(Date.now() + HOUR_MS);
  });

  it("the PostgreSQL limiter keeps no more of a busy subject than its windows count, give or take two rows", async () => {
    const windows = [{ lengthMs: 1_000, limit: 5_000 }];
    for (let n = 0; n < 5_000; n += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => store.consume("busy", windows, NOW + n + index)));
    }
    expect(await rowsIn("rate_chunks")).toBeGreaterThanOrEqual(6);
    expect(await rowsIn("rate_chunks")).toBeLessThanOrEqual(9);
  });

  it("the PostgreSQL limiter forgets a subject that was busy for long, and not before it is idle", async () => {
    const windows = [{ lengthMs: 1_000, limit: 1_000 }];
    const admitMany = () => Promise.all(Array.from({ length: 200 }, () => store.consume("busy", windows, NOW)));
    await admitMany();
    for (let n = 0; n < 30; n += 1) {
      await store.consume("busy", windows, NOW + n * 100);
      expect(await store.pruneWindows(NOW + n * 100, 10)).toBe(0);
    }
    await store.consume("idle", windows, NOW);
    expect(await store.pruneWindows(NOW + 3_000, 1)).toBe(1);
    expect(await store.pruneWindows(NOW + 3_899, 10)).toBe(0);
    expect(await store.pruneWindows(NOW + 3_900, 10)).toBe(1);
    expect([await rowsIn("rate_subjects"), await rowsIn("rate_chunks")]).toEqual([0, 0]);
  });

  it("the PostgreSQL limiter prunes more than fit into one transaction", async () => {
    const windows = [{ lengthMs: 1_000, limit: 1 }];
    await Promise.all(Array.from({ length: 170 }, (_, n) => store.consume(`key:${n}`, windows, NOW)));
    expect(await store.pruneWindows(NOW + 1_000, 120)).toBe(120);
    expect(await store.pruneWindows(NOW + 1_000, 120)).toBe(50);
  });

  it("the PostgreSQL limiter prunes around a subject that is being decided for", async () => {
    const windows = [{ lengthMs: 1_000, limit: 5 }];
    for (const subject of ["asking", "idle"]) await store.consume(subject, windows, NOW);
    const client = await schema.pool.connect();
    await client.query("BEGIN");
    await client.query(
      nameIn(schema.schema)(`SELECT @consume_runs('{asking}', '{"{1000}"}', '{"{{1,${NOW + 900},5}}"}', false)`),
    );
    expect(await store.pruneWindows(NOW + 1_000, 10)).toBe(1);
    await client.query("COMMIT");
    client.release();
    expect(await store.pruneWindows(NOW + 1_000, 10)).toBe(0);
    expect(await store.countConsumed("asking", 1_000, NOW + 1_000)).toBe(1);
  });

  it("the PostgreSQL limiter never deadlocks, in any order of the subjects", async () => {
    const subjects = Array.from({ length: 40 }, (_, index) => `key:1:${index}`);
    const windows = [{ lengthMs: 1_000, limit: 150 }];
    const process = async (named: readonly string[]) => {
      const limits = postgresRateLimits(connectionThatRepeatsNothing());
      for (let turn = 0; turn < 50; turn += 1) {
        await Promise.all(named.map((subject) => limits.consume(subject, windows, NOW)));
      }
    };
    await Promise.all([subjects, [...subjects].reverse(), subjects, [...subjects].reverse()].map(process));
    for (const subject of subjects) expect(await store.countConsumed(subject, 1_000, NOW)).toBe(150);
  });

  describe("by the database's clock", () => {
    const windows = [{ lengthMs: HOUR_MS, limit: 1 }];
    const YEAR_MS = 365 * 24 * HOUR_MS;
    let limits: RateLimitStore;

    beforeEach(() => {
      limits = postgresRateLimits(connectionThatRepeatsNothing(), "database");
    });

    it("counts by the database's clock for callers whose clocks differ, in the time of each caller", async () => {
      expect(await limits.consume("key", windows, NOW)).toEqual({
        used: 1,
        freesAt: NOW + HOUR_MS,
        refusal: null,
      });
      for (const now of [NOW - YEAR_MS, NOW + YEAR_MS]) {
        const { used, freesAt, refusal } = await limits.consume("key", windows, now);
        expect([used, refusal]).toEqual([1, { window: 0, freesAt }]);
        expect(freesAt).toBeGreaterThan(now);
        expect(freesAt).toBeLessThanOrEqual(now + HOUR_MS);
        expect(await limits.countConsumed("key", HOUR_MS, now)).toBe(1);
      }
    });

    it("the PostgreSQL limiter forgets nothing before the database's time has come", async () => {
      await limits.consume("key", windows, NOW);
      await limits.consume("short", [{ lengthMs: 1, limit: 1 }], NOW);
      while ((await limits.countConsumed("short", 1, NOW)) > 0);
      expect(await limits.pruneWindows(NOW + YEAR_MS, 10)).toBe(1);
      expect(await limits.countConsumed("key", HOUR_MS, NOW)).toBe(1);
    });
  });
});
