import { aBusiness, manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { createBudgetService } from "../../create-service.js";
import { MINUTE_MS } from "../../kernel/clock.js";
import { StoreUnavailable } from "../../kernel/problem.js";
import type { Store } from "../../store.js";

const OLD_SECRET = "an old secret that is long enough by far";
const NEW_SECRET = "a new secret that is long enough by far";
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
    const response = await service.fetch(new Request("https://host.example/api/public/budgets", init));
    return {
      status: response.status,
      replayed: response.headers.get("idempotent-replayed"),
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
    const { create } = await world({ insertBudget: async () => "claim-lost" });
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
    const insertBudget = vi.spyOn(store, "insertBudget").mockRejectedValueOnce(new StoreUnavailable("away"));
    const releaseClaim = vi.spyOn(store, "releaseClaim").mockRejectedValueOnce(new StoreUnavailable("away"));
    const { create, clock, errors } = await world({ insertBudget, releaseClaim }, store);
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
    await store.insertBusiness(aBusiness());
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

  it("stores the response of an idempotent request encrypted", async () => {
    const store = memoryStore();
    const responses: string[] = [];
    const { create } = await world(
      {
        insertBudget: (budget, events, record) => {
          responses.push(record?.response ?? "");
          return store.insertBudget(budget, events, record);
        },
      },
      store,
    );
    await create();
    expect(responses).toHaveLength(1);
    expect(responses[0]).toMatch(/^v1\.[\w-]+$/);
  });
});
