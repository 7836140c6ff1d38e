import { aBusiness, anApiKey, anEndpoint, anIntegration, manualClock, memoryStore } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { insertBusinessCommit, insertKeyCommit, replaceKeyCommit } from "../access/access-commits.js";
import { createCall } from "../kernel/call.js";
import { createIdSource } from "../kernel/ids.js";
import { aUserActor } from "../testing/access-world.js";
import { commitOn } from "../testing/commit-on.js";
import { MAX_ENDPOINTS } from "../webhooks/endpoint.js";
import { insertEndpointCommit, removeEndpointCommit } from "../webhooks/endpoint-commits.js";
import { insertIntegrationCommit } from "./integration-commits.js";
import { createIntegrationOperations } from "./integration-operations.js";
import { MAX_INTEGRATIONS } from "./manage-integrations.js";

const START = "2026-03-02T12:00:00.000Z";

/** A business with the key 20 and the webhooks 60 and 61, beside another one with the key 21 and the webhook 62. */
async function integrationWorld() {
  const store = memoryStore();
  const clock = manualClock(START);
  await store.commit(insertBusinessCommit(aBusiness()));
  await store.commit(insertKeyCommit(anApiKey()));
  await store.commit(insertKeyCommit(anApiKey({ id: "21", businessId: "2" })));
  for (const endpoint of [{ id: "60" }, { id: "61" }, { id: "62", businessId: "2" }]) {
    await store.commit(insertEndpointCommit(anEndpoint(endpoint), MAX_ENDPOINTS));
  }
  const integrations = createIntegrationOperations(
    { store, commit: commitOn(store), clock, ids: createIdSource(store) },
    createCall(async () => {}),
  );
  const owner = aUserActor("OWNER");
  const shop = { name: "Shop", apiKeyId: "20", webhookIds: ["60", "61"], config: { theme: "dark" } };
  const created = async (input: Partial<typeof shop> = {}) =>
    (await integrations.create(owner, { ...shop, ...input }))._unsafeUnwrap();
  return { store, clock, integrations, owner, shop, created };
}

describe("an integration", () => {
  it("is ACTIVE, and empty but for its name, unless something else is given", async () => {
    const { integrations, owner } = await integrationWorld();
    const created = (await integrations.create(owner, { name: "Shop" }))._unsafeUnwrap();
    expect(created).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: "Shop",
      description: null,
      status: "ACTIVE",
      apiKeyId: null,
      webhookIds: [],
      config: {},
      createdAt: START,
      updatedAt: START,
    });
    expect((await integrations.get(owner, created.id))._unsafeUnwrap()).toEqual(created);
  });

  it("leaves entries that name its config without the values, which may be secrets", async () => {
    const { integrations, owner, store, created } = await integrationWorld();
    const { id } = await created({ config: { theme: "token-1" } });
    await integrations.update(owner, id, { config: { theme: "token-2" } });
    await integrations.delete(owner, id);
    const entries = (await store.readLedger("1", { after: 0, limit: 9 })).map(({ entry }) => entry);
    expect(entries.map(({ change }) => change.fields.includes("config"))).toEqual([true, true, true]);
    expect(entries[0]?.data).toMatchObject({ changes: { name: { from: null, to: "Shop" } } });
    expect(JSON.stringify(entries)).not.toContain("token-");
  });

  it("is one of a thousand at most, also for concurrent creations", async () => {
    const { integrations, owner, store, created } = await integrationWorld();
    const { id } = await created();
    for (let n = 2; n < MAX_INTEGRATIONS; n += 1) {
      const inactive = anIntegration({ id: String(10_000 + n), status: "INACTIVE" });
      await store.commit(insertIntegrationCommit(inactive, MAX_INTEGRATIONS));
    }
    const create = () => integrations.create(owner, { name: "Shop" });
    const outcomes = await Promise.all([create(), create(), create()]);
    const refusals = outcomes.flatMap((outcome) => (outcome.isErr() ? [outcome.error] : []));
    const rule = { kind: "rule", rule: "TOO_MANY_INTEGRATIONS", details: { limit: 1_000 } };
    expect(refusals).toMatchObject([rule, rule]);
    await integrations.delete(owner, id);
    expect((await create()).isOk()).toBe(true);
  });

  it("takes over what is given, keeps what is left out, and clears by null", async () => {
    const { integrations, owner, created, clock } = await integrationWorld();
    const { id } = await created();
    clock.advance(1_000);
    const change = { status: "INACTIVE", description: "Out of season" } as const;
    const changed = (await integrations.update(owner, id, change))._unsafeUnwrap();
    expect(changed).toMatchObject({
      ...change,
      name: "Shop",
      apiKeyId: "20",
      webhookIds: ["60", "61"],
      config: { theme: "dark" },
      createdAt: START,
      updatedAt: "2026-03-02T12:00:01.000Z",
    });
    const others = { name: "Store", apiKeyId: null, description: null, webhookIds: [], config: { colour: "red" } };
    const cleared = (await integrations.update(owner, id, others))._unsafeUnwrap();
    expect(cleared).toMatchObject({ ...others, status: "INACTIVE" });
  });

  it.each([
    [{ apiKeyId: "21" }, "apiKeyId", "21"],
    [{ apiKeyId: "999" }, "apiKeyId", "999"],
    [{ apiKeyId: "020" }, "apiKeyId", "020"],
    [{ webhookIds: ["60", "62"] }, "webhookIds[1]", "62"],
    [{ webhookIds: ["20"] }, "webhookIds[0]", "20"],
  ])("refuses %j, which the business does not have", async (input, field, id) => {
    const { integrations, owner, created, shop } = await integrationWorld();
    const problem = { rule: "UNKNOWN_REFERENCE", details: { field, id } };
    expect((await integrations.create(owner, { ...shop, ...input }))._unsafeUnwrapErr()).toMatchObject(problem);
    const stored = await created();
    expect((await integrations.update(owner, stored.id, input))._unsafeUnwrapErr()).toMatchObject(problem);
    expect((await integrations.get(owner, stored.id))._unsafeUnwrap()).toEqual(stored);
  });

  it.each([
    [{ name: "" }, "name", "MIN_LENGTH"],
    [{ name: "n".repeat(256) }, "name", "MAX_LENGTH"],
    [{ webhookIds: ["60", "60"] }, "webhookIds", "INVALID_VALUE"],
    [{ webhookIds: Array.from({ length: 51 }, (_, index) => String(index)) }, "webhookIds", "MAX_LENGTH"],
    [{ config: { text: "x".repeat(16 * 1_024) } }, "config", "MAX_LENGTH"],
    [
      { config: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key ${index}`, 1])) },
      "config",
      "MAX_LENGTH",
    ],
  ])("refuses %j", async (input, field, code) => {
    const { integrations, owner, shop } = await integrationWorld();
    expect((await integrations.create(owner, { ...shop, ...input }))._unsafeUnwrapErr()).toMatchObject({
      kind: "invalid",
      errors: [{ field, code }],
    });
  });

  it("may name a revoked key, and keeps naming a deleted webhook", async () => {
    const { integrations, owner, store, created } = await integrationWorld();
    await store.commit(replaceKeyCommit(anApiKey({ version: 2, status: "REVOKED" }), 1));
    const { id } = await created();
    await store.commit(removeEndpointCommit("1", "61"));
    expect((await integrations.update(owner, id, { name: "Store" }))._unsafeUnwrap().webhookIds).toEqual(["60", "61"]);
  });

  it("is deleted for good, and its key and webhooks stay", async () => {
    const { integrations, owner, store, created } = await integrationWorld();
    const { id } = await created();
    expect((await integrations.delete(owner, id))._unsafeUnwrap()).toEqual({ id, deletedAt: START });
    const gone = [
      await integrations.get(owner, id),
      await integrations.update(owner, id, {}),
      await integrations.delete(owner, id),
    ];
    for (const result of gone) expect(result._unsafeUnwrapErr()).toMatchObject({ kind: "not-found", id });
    expect(await store.findKey("1", "20")).not.toBe(null);
    expect(await store.findEndpoint("1", "60")).not.toBe(null);
  });

  it("is listed newest first, by pages", async () => {
    const { integrations, owner, created } = await integrationWorld();
    for (const name of ["a", "b", "c"]) await created({ name });
    const page = (await integrations.list(owner, { limit: 2 }))._unsafeUnwrap();
    expect(page.data.map(({ name }) => name)).toEqual(["c", "b"]);
    expect(page.pagination).toMatchObject({ total: 3, hasMore: true });
    expect((await integrations.list(owner))._unsafeUnwrap().data).toHaveLength(3);
  });

  it("is read by a MEMBER, changed by an ADMIN or the host, and no concern of keys", async () => {
    const { integrations, created, shop } = await integrationWorld();
    const { id } = await created();
    const member = aUserActor("MEMBER");
    const key = { kind: "key", businessId: "1", id: "20", scopes: [] } as const;
    expect((await integrations.get(member, id)).isOk()).toBe(true);
    expect((await integrations.list(member)).isOk()).toBe(true);
    const attempts = [
      ...[member, key].flatMap((actor) => [
        integrations.create(actor, shop),
        integrations.update(actor, id, {}),
        integrations.delete(actor, id),
      ]),
      integrations.get(key, id),
      integrations.list(key),
    ];
    for (const result of await Promise.all(attempts)) {
      expect(result._unsafeUnwrapErr()).toMatchObject({ kind: "forbidden" });
    }
    for (const actor of [aUserActor("ADMIN"), { kind: "system", businessId: "1" } as const]) {
      expect((await integrations.update(actor, id, { name: "Store" })).isOk()).toBe(true);
    }
  });

  it("is unknown to another business, and nothing is made for one that is not there", async () => {
    const { integrations, created } = await integrationWorld();
    const { id } = await created();
    const stranger = aUserActor("OWNER", "2");
    const results = [
      await integrations.get(stranger, id),
      await integrations.update(stranger, id, { name: "mine" }),
      await integrations.delete(stranger, id),
      await integrations.create(stranger, { name: "Shop" }),
    ];
    for (const result of results) expect(result._unsafeUnwrapErr()).toMatchObject({ kind: "not-found" });
    expect((await integrations.list(stranger))._unsafeUnwrap().data).toEqual([]);
  });

  it("keeps both of two changes that meet, and gives up when others keep coming between", async () => {
    const { integrations, owner, store, created } = await integrationWorld();
    const { id } = await created();
    await Promise.all([
      integrations.update(owner, id, { name: "Store" }),
      integrations.update(owner, id, { description: "Both" }),
    ]);
    expect((await integrations.get(owner, id))._unsafeUnwrap()).toMatchObject({ name: "Store", description: "Both" });
    vi.spyOn(store, "commit").mockResolvedValue({ kind: "refused", by: "stale" });
    expect((await integrations.update(owner, id, {}))._unsafeUnwrapErr()).toMatchObject({ kind: "conflict" });
  });
});
