import {
  insertBudgetCommit,
  insertBusinessCommit,
  insertEndpointCommit,
  insertKeyCommit,
  type Store,
  StoreUnavailable,
} from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, aBusiness, anApiKey, anEndpoint, anEvent } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { CITUS_URL, type CitusSchema, citusSchema, WITHOUT_CITUS } from "../testing/citus-database.js";
import { runOn } from "../testing/run-on.js";

const BUSINESSES = Array.from({ length: 12 }, (_, index) => String(index + 1));

async function placesOf({ query }: CitusSchema): Promise<ReadonlyMap<string, string>> {
  const rows = await query(
    `SELECT id, (SELECT nodename || ':' || nodeport FROM pg_dist_shard_placement
       WHERE shardid = get_shard_id_for_distribution_column('@businesses', id)) AS node
     FROM unnest($1::bigint[]) AS id`,
    [BUSINESSES],
  );
  return new Map(rows.map(({ id, node }) => [String(id), String(node)]));
}

/** Cuts the connections to the database on a node, and refuses new ones. */
async function takeAway({ url }: CitusSchema, node: string, isAway: boolean): Promise<void> {
  const { pathname } = new URL(url);
  const database = pathname.slice(1);
  const other = new URL(url);
  other.host = node;
  other.pathname = "/postgres";
  await runOn(other.href, `ALTER DATABASE ${database} ALLOW_CONNECTIONS ${!isAway}`);
  if (isAway)
    await runOn(other.href, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
}

describe.skipIf(CITUS_URL === undefined)(`while a worker of Citus is away${WITHOUT_CITUS}`, () => {
  const schema = citusSchema();

  async function filled(): Promise<Store> {
    const store = await schema.freshStore();
    for (const id of BUSINESSES) {
      await store.commit(insertBusinessCommit(aBusiness({ id })));
      await store.commit(
        insertKeyCommit(anApiKey({ businessId: id, id: `${100 + Number(id)}`, keyHash: `hash ${id}` })),
      );
    }
    return store;
  }

  /** The businesses for which each call is served, and those for which it is refused as unavailable. */
  async function servedBy(call: (businessId: string) => Promise<unknown>) {
    const outcomes = await Promise.allSettled(BUSINESSES.map(call));
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(StoreUnavailable);
    }
    return BUSINESSES.filter((_, index) => outcomes[index]?.status === "fulfilled");
  }

  it("the businesses of a killed worker are refused, the others are read and written, and all are served when it is back", async () => {
    const store = await filled();
    const nodes = await placesOf(schema);
    const [node = ""] = nodes.values();
    const others = BUSINESSES.filter((id) => nodes.get(id) !== node);
    expect(others.length).toBeGreaterThan(0);
    expect(others.length).toBeLessThan(BUSINESSES.length);
    for (const businessId of BUSINESSES) {
      await store.commit(insertEndpointCommit(anEndpoint({ businessId, id: `${200 + Number(businessId)}` })));
      const events = [anEvent({ businessId, subjectId: "9" })];
      await store.commit(insertBudgetCommit(aBudget({ businessId, id: "9" }), { events }));
    }
    const write = (id: string) => (businessId: string) => store.commit(insertBudgetCommit(aBudget({ businessId, id })));
    const reads = {
      "a key by its digest": (id: string) => store.findKeyByHash(`hash ${id}`),
      "a list": (id: string) => store.listBudgets(id, aBudgetQuery()),
    };

    await takeAway(schema, node, true);
    try {
      expect(await servedBy(write("10")), "a new budget").toEqual(others);
      for (const [name, read] of Object.entries(reads)) expect(await servedBy(read), name).toEqual(others);
      expect(await store.findOutage()).toBeNull();
      const waiting = await store.findUndispatchedEvents(100);
      expect(new Set(waiting.map(({ businessId }) => businessId)), "events to fan out").toEqual(new Set(others));
    } finally {
      await takeAway(schema, node, false);
    }
    expect(await servedBy(write("11"))).toEqual(BUSINESSES);
    for (const [name, read] of Object.entries(reads)) expect(await servedBy(read), name).toEqual(BUSINESSES);
    for (const id of BUSINESSES) {
      const { entries, total } = await store.listBudgets(id, aBudgetQuery());
      expect([entries.length, total], id).toEqual(others.includes(id) ? [3, 3] : [2, 2]);
      expect(await store.findKeyByHash(`hash ${id}`)).toMatchObject({ businessId: id });
    }
  });

  it("a key whose record cannot be written leads nowhere afterwards", async () => {
    const store = await filled();
    const nodes = await placesOf(schema);
    const node = nodes.get("1") ?? "";
    const key = anApiKey({ businessId: "1", id: "500", keyHash: "of a lost key" });
    await takeAway(schema, node, true);
    await expect(store.commit(insertKeyCommit(key))).rejects.toBeInstanceOf(StoreUnavailable);
    await takeAway(schema, node, false);
    expect(await schema.query("SELECT FROM @directory WHERE digest = 'of a lost key'")).toEqual([]);
    await store.commit(insertKeyCommit(key));
    expect(await store.findKeyByHash("of a lost key")).toMatchObject({ id: "500" });
  });
});
