import {
  entryHash,
  entryText,
  insertBudgetCommit,
  insertBusinessCommit,
  insertEndpointCommit,
  insertKeyCommit,
  type Store,
  touchKeyCommit,
} from "@budgetkit/core/store";
import {
  aBudget,
  aBusiness,
  aClaim,
  anApiKey,
  anEndpoint,
  anEvent,
  anEventQuery,
  FIXTURE_TIME as NOW,
  outcomeOf,
} from "@budgetkit/testing";
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { postgresStore } from "../index.js";
import { testPool } from "../testing/test-pool.js";
import { testSchema } from "../testing/test-schema.js";

const event = (id: string) => anEvent({ id: `9${id}`, subjectId: id });
const withEvent = (id: string, beside = {}) =>
  insertBudgetCommit(aBudget({ id, publicTokenHash: id }), { events: [event(id)], ...beside });

describe("the totals of a business that one process writes to", () => {
  const schema = testSchema();
  let store: Store;
  let other: Store; // as another process has it open
  let pool: pg.Pool;
  let roundTrips = 0;

  beforeEach(async () => {
    other = await schema.freshStore();
    pool = testPool({ connectionString: schema.url, max: 1 });
    pool.on("connect", (client) => {
      const query = vi.spyOn(client, "query");
      pool.on("release", () => {
        roundTrips += query.mock.calls.length;
        query.mockClear();
      });
    });
    store = postgresStore(pool, { schema: schema.schema, clock: "caller", listen: false });
  });

  afterEach(async () => {
    await store.close();
    await other.close();
    await pool.end();
  });

  async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
    roundTrips = 0;
    await work();
    return roundTrips;
  }

  /** Writes until the process expects that nobody else does. */
  async function becomeAlone(...ids: readonly string[]): Promise<void> {
    for (const id of ids) expect(await outcomeOf(store, withEvent(id))).toBe("written");
  }

  async function sequences(): Promise<readonly (readonly [id: string, sequence: number | undefined])[]> {
    const { entries } = await store.listEvents("1", anEventQuery({ limit: 100 }));
    return entries.map(({ id, sequence }) => [id, sequence] as const).reverse();
  }

  it("a new budget is one round trip once its process is alone with the business, also with subscribers", async () => {
    await becomeAlone("10", "11", "12");
    expect(await roundTripsOf(() => becomeAlone("13"))).toBe(1);
    await store.commit(insertEndpointCommit(anEndpoint({ id: "60" })));
    await store.commit(insertEndpointCommit(anEndpoint({ id: "9" })));
    await store.commit(insertKeyCommit(anApiKey({ webhookUrl: "https://shop.example/hooks" })));
    await becomeAlone("14", "15", "16");
    expect(await roundTripsOf(() => becomeAlone("17"))).toBe(1);
    expect((await sequences()).map(([, sequence]) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("a claim of an idempotency key between new budgets costs them no round trip", async () => {
    await becomeAlone("10", "11", "12");
    await store.claimKey(aClaim(), NOW);
    expect(await roundTripsOf(() => becomeAlone("13"))).toBe(1);
  });

  it("a commit continues the ledger behind what another process has written", async () => {
    await becomeAlone("10", "11", "12");
    await other.commit(withEvent("20"));
    await becomeAlone("13");
    await other.commit(withEvent("21"));
    await becomeAlone("14", "15", "16");
    expect(await sequences()).toEqual([
      ["910", 1],
      ["911", 2],
      ["912", 3],
      ["920", 4],
      ["913", 5],
      ["921", 6],
      ["914", 7],
      ["915", 8],
      ["916", 9],
    ]);
  });

  it("events wait for their fan-out when another process has added the subscriber", async () => {
    await becomeAlone("10", "11", "12");
    expect(await store.findUndispatchedEvents(10)).toEqual([]);
    await other.commit(insertEndpointCommit(anEndpoint()));
    expect(await store.commit(withEvent("13"))).toMatchObject({ mayWait: true });
    expect((await store.findUndispatchedEvents(10)).map(({ id }) => id)).toEqual(["913"]);
  });

  it("a commit counts what another process has added to the quota (quota-exceeded)", async () => {
    await becomeAlone("10", "11", "12");
    for (const id of ["20", "21"]) await other.commit(withEvent(id));
    const quota = { budgets: 6, bytes: Number.MAX_SAFE_INTEGER };
    expect(await outcomeOf(store, withEvent("13", { quota }))).toBe("written");
    await other.commit(withEvent("22"));
    expect(await outcomeOf(store, withEvent("14", { quota }))).toBe("quota-exceeded");
  });

  it("an entry chains to the last one that is stored, even if all else that is expected is the same", async () => {
    await becomeAlone("10", "11", "12");
    await schema.query("UPDATE @event_counters SET last_hash = 'of another last entry'");
    await becomeAlone("13");
    const [row] = await schema.query("SELECT hash, revision, sequence FROM @events WHERE id = '913'");
    const place = { previous: "of another last entry", revision: 1, sequence: 4 };
    expect(row?.hash).toBe(entryHash(entryText(event("13")), place));
  });

  it("entries chain when two batches are under way, of which the first runs again in another order", async () => {
    await becomeAlone("10", "11", "12");
    await other.commit(insertBusinessCommit(aBusiness({ id: "2" })));
    const ids = ["20", "21", "22", "23", "24", "25"];
    const taken = insertBusinessCommit(aBusiness({ id: "2" }));
    await Promise.all([...ids.map((id) => store.commit(withEvent(id))), outcomeOf(store, taken).catch(() => {})]);
    await becomeAlone("26");
    const rows = await schema.query(
      `SELECT hash, document, revision::integer, sequence::integer FROM @events WHERE business_id = 1 ORDER BY sequence`,
    );
    let previous: string | null = null;
    for (const { hash, document, revision, sequence } of rows) {
      const place = { previous, revision: Number(revision), sequence: Number(sequence) };
      previous = entryHash(String(document), place);
      expect(hash).toBe(previous);
    }
    expect(rows).toHaveLength(10);
  });

  it("commits of a business without entries need no transaction that fails", async () => {
    await store.commit(insertKeyCommit(anApiKey()));
    for (let use = 1; use < 8; use += 1) {
      const touch = () => store.commit(touchKeyCommit("1", "20", NOW + use * 60_000));
      expect(await roundTripsOf(touch)).toBeLessThanOrEqual(2);
    }
  });
});
