import { aBusiness, anIdempotencyRecord, manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { insertBusinessCommit } from "../../access/access-commits.js";
import { createBudgetService } from "../../create-service.js";
import { MINUTE_MS } from "../../kernel/clock.js";
import { StoreUnavailable } from "../../kernel/problem.js";
import { deriveSecrets } from "../../kernel/secret-box.js";
import type { Store } from "../../store.js";
import { endingCommits } from "../../testing/ending-commits.js";

const OLD_SECRET = "an old secret that is long enough by far";
const NEW_SECRET = "a new secret that is long enough by far";
const BUDGETS = "/api/public/budgets";
const BODY = { customerId: "c", items: [{ description: "a", quantity: 1, unitPrice: 1 }] };

/** A service on a store with `changes`, and a function that creates budgets with one idempotency key. */
async function world(changes: Partial<Store> = {}, store: Store = memoryStore(), secret = OLD_SECRET) {
  const errors: unknown[] = [];
  const random = seededRandom(3);
  const clock = manualClock();
  const options = { clock, random, secret, onError: (error: unknown) => errors.push(error) };
  const service = createBudgetService({ ...options, store: { ...store, ...changes } });
  const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: business.id } as const;
  const { key } = (await service.keys.create(actor, { name: "a", scopes: ["WRITE_BUDGETS"] }))._unsafeUnwrap();
  const create = async (credential: string = key, body: unknown = BODY) => {
    const headers = {
      authorization: `Bearer ${credential}`,
      "content-type": "application/json",
      "idempotency-key": "one",
    };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await service.fetch(new Request(`https://host.example${BUDGETS}`, init));
    return {
      status: response.status,
      replayed: response.headers.get("idempotent-replayed"),
      etag: response.headers.get("etag"),
      location: response.headers.get("location"),
      text: await response.text(),
    };
  };
  return { create, key, clock, errors };
}

describe("a request with an idempotency key", () => {
  it("refuses a request while another one with its idempotency key is in progress (CONFLICT)", async () => {
    const { create } = await world({ claimKey: async () => ({ kind: "in-flight" }) });
    expect((await create()).status).toBe(409);
  });

  it("refuses a request whose idempotency claim was taken over before its commit (CONFLICT)", async () => {
    const store = endingCommits(memoryStore(), "budget", async () => ({ kind: "refused", by: "claim-lost" }));
    const { create } = await world({}, store);
    expect((await create()).status).toBe(409);
  });

  it("replays a response after a change of secret while the old one is listed, and refuses afterwards (CONFLICT)", async () => {
    const store = memoryStore();
    const first = await world({}, store);
    const created = await first.create();
    expect(created.status).toBe(201);
    const after = await world({}, store, NEW_SECRET);
    expect((await after.create(first.key)).status).toBe(409);
    const still = await world({}, store, OLD_SECRET);
    expect(await still.create(first.key)).toEqual({ ...created, replayed: "true" });
  });

  it("a response survives when its idempotency claim cannot be released, which is reported", async () => {
    const { create, key, errors } = await world({ releaseClaim: () => Promise.reject(new Error("gone")) });
    expect((await create(key, { ...BODY, validUntil: "2020-01-01" })).status).toBe(422);
    expect(errors).toHaveLength(1);
  });

  it("releases no claim that its commit completed, since that would cost a write", async () => {
    const store = memoryStore();
    const releaseClaim = vi.spyOn(store, "releaseClaim");
    const { create } = await world({}, store);
    expect((await create()).status).toBe(201);
    expect(await create()).toMatchObject({ status: 201, replayed: "true" });
    expect(releaseClaim).not.toHaveBeenCalled();
  });

  it("releases an idempotency claim that was written though its answer was lost", async () => {
    const store = memoryStore();
    const { claimKey } = store;
    const lost = vi.spyOn(store, "claimKey").mockImplementationOnce(async (claim, now) => {
      await claimKey(claim, now);
      throw new StoreUnavailable("the connection broke");
    });
    const { create } = await world({ claimKey: lost }, store);
    expect((await create()).status).toBe(503);
    expect((await create()).status).toBe(201);
  });

  it("an idempotency claim that cannot be released lapses after a minute", async () => {
    const store = memoryStore();
    const away = new StoreUnavailable("away");
    const commit = vi.fn(store.commit).mockRejectedValueOnce(away);
    const releaseClaim = vi.spyOn(store, "releaseClaim").mockRejectedValueOnce(away);
    const { create, clock, errors } = await world({ releaseClaim }, endingCommits(store, "budget", commit));
    expect((await create()).status).toBe(503);
    expect(errors).toHaveLength(2);
    expect((await create()).status).toBe(409);
    clock.advance(MINUTE_MS);
    expect((await create()).status).toBe(201);
    expect(await create()).toMatchObject({ status: 201, replayed: "true" });
  });

  it("replays no new API key to a user who lost the role to create one (FORBIDDEN)", async () => {
    let role: "ADMIN" | "MEMBER" = "ADMIN";
    const resolveUser = async () => ({ businessId: "1", userId: "7", role });
    const store = memoryStore();
    const service = createBudgetService({ store, secret: OLD_SECRET, clock: manualClock(), resolveUser });
    await store.commit(insertBusinessCommit(aBusiness()));
    const create = () => {
      const headers = { "content-type": "application/json", "idempotency-key": "one" };
      const body = JSON.stringify({ name: "Shop", scopes: ["READ_BUDGETS"] });
      return service.fetch(new Request("https://host.example/api-keys", { method: "POST", headers, body }));
    };
    expect((await create()).status).toBe(201);
    expect((await create()).headers.get("idempotent-replayed")).toBe("true");
    role = "MEMBER";
    const refused = await create();
    expect(refused.status).toBe(403);
    expect(await refused.text()).not.toContain("bgk_live");
  });

  it.each([
    ["as it was sent", (sealed: string) => sealed, "Q-7"],
    ["with the number that its commit drew", (sealed: string) => `${sealed}\nnumber:00\nQ-8`, "Q-8"],
  ])("replays a response %s that an earlier release recorded whole", async (_, recordOf, number) => {
    const { box } = deriveSecrets([OLD_SECRET], seededRandom(5));
    const body = `{"data":{"id":"7","number":"${number === "Q-7" ? number : "{number:00}"}","ofFormerRelease":true}}`;
    const headers = { "content-type": "application/json; charset=utf-8", etag: '"v1"', location: `${BUDGETS}/7` };
    const store = memoryStore();
    const commit: typeof store.commit = (given) => {
      const record = given.completes ?? anIdempotencyRecord();
      const binding = `idempotency:${record.businessId}:${record.key}`;
      const sealed = box.seal(JSON.stringify({ status: 201, headers, body }), binding);
      return store.commit({ ...given, completes: { ...record, response: recordOf(sealed) } });
    };
    const { create } = await world({}, endingCommits(store, "budget", commit));
    await create();
    expect(await create()).toEqual({
      status: 201,
      replayed: "true",
      etag: '"v1"',
      location: "../../api/public/budgets/7",
      text: body.replace("{number:00}", number),
    });
  });

  it("stores the response of an idempotent request encrypted", async () => {
    const store = memoryStore();
    const responses: string[] = [];
    const commit: typeof store.commit = (given) => {
      responses.push(given.completes?.response ?? "");
      return store.commit(given);
    };
    const { create } = await world({}, endingCommits(store, "budget", commit));
    await create();
    expect(responses).toHaveLength(1);
    expect(responses[0]).toMatch(/^v1\.[\w-]+$/);
  });
});
