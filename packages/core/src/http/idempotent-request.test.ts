import { describe, expect, it } from "vitest";
import { createBudgetService } from "../create-service.js";
import { StoreUnavailable } from "../kernel/problem.js";
import type { Store } from "../store.js";
import { manualClock } from "../testing/manual-clock.js";
import { memoryStore } from "../testing/memory-store/index.js";
import { seededRandom } from "../testing/seeded-random.js";

const OLD_SECRET = "an old secret that is long enough by far";
const NEW_SECRET = "a new secret that is long enough by far";
const BODY = { customerId: "c", items: [{ description: "a", quantity: 1, unitPrice: 1 }] };

/** A service on a store that answers as `changes` say, and a way to create budgets with one idempotency key. */
async function world(changes: Partial<Store> = {}, store: Store = memoryStore(), secret = OLD_SECRET) {
  const errors: unknown[] = [];
  const random = seededRandom(3);
  const options = { clock: manualClock(), random, secret, onError: (error: unknown) => errors.push(error) };
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
  return { create, key, store, service, errors };
}

describe("a request with an idempotency key", () => {
  it("is a conflict while another one with it is under way", async () => {
    const { create } = await world({ claimKey: async () => ({ kind: "in-flight" }) });
    expect((await create()).status).toBe(409);
  });

  it("is a conflict when its claim was taken over before it could commit", async () => {
    const { create } = await world({ insertBudget: async () => "receipt-lost" });
    expect((await create()).status).toBe(409);
  });

  it("is replayed under a new secret while the old one is still known, and a conflict afterwards", async () => {
    const store = memoryStore();
    const first = await world({}, store);
    const created = await first.create();
    expect(created.status).toBe(201);
    const after = await world({}, store, NEW_SECRET);
    expect((await after.create(first.key)).status).toBe(409);
    const still = await world({}, store, OLD_SECRET);
    expect(await still.create(first.key)).toEqual({ ...created, replayed: "true" });
  });

  it("does not fail because its claim cannot be given up, but tells the operator", async () => {
    const { create, key, errors } = await world({ releaseClaim: () => Promise.reject(new Error("gone")) });
    expect((await create(key, { ...BODY, validUntil: "2020-01-01" })).status).toBe(422);
    expect(errors).toHaveLength(1);
  });

  describe("while the store is away", () => {
    /** A service whose store is away for the calls that are named, until it is back. */
    async function awayFor(...calls: readonly ("claimKey" | "insertBudget" | "releaseClaim")[]) {
      const store = memoryStore();
      let isAway = true;
      const reach = (call: (typeof calls)[number]): void => {
        if (isAway && calls.includes(call)) throw new StoreUnavailable("the store is away");
      };
      const changes: Partial<Store> = {
        claimKey: async (...args) => {
          const outcome = await store.claimKey(...args); // written, though nobody hears of it
          reach("claimKey");
          return outcome;
        },
        insertBudget: async (...args) => {
          reach("insertBudget");
          return store.insertBudget(...args);
        },
        releaseClaim: async (...args) => {
          reach("releaseClaim");
          return store.releaseClaim(...args);
        },
      };
      const first = await world(changes, store);
      return {
        ...first,
        comeBack: () => {
          isAway = false;
        },
      };
    }

    it.each([[["claimKey"]], [["insertBudget", "releaseClaim"]]] as const)(
      "(%j) leaves the key to the next request when it is back",
      async (calls) => {
        const { create, comeBack } = await awayFor(...calls);
        expect((await create()).status).toBe(503);
        comeBack();
        expect((await create()).status).toBe(201);
        expect(await create()).toMatchObject({ status: 201, replayed: "true" });
      },
    );

    it("leaves the key to requests of other processes with the next round of upkeep", async () => {
      const { create, key, store, service, comeBack } = await awayFor("insertBudget", "releaseClaim");
      const other = await world({}, store);
      expect((await create()).status).toBe(503);
      comeBack();
      expect((await other.create(key)).status).toBe(409);
      await service.tick();
      expect((await other.create(key)).status).toBe(201);
    });
  });

  it("shows a new API key again to nobody who may not make one any more", async () => {
    let role: "ADMIN" | "MEMBER" = "ADMIN";
    const resolveUser = async () => ({ businessId: "1", userId: "7", role });
    const store = memoryStore();
    const service = createBudgetService({ store, secret: OLD_SECRET, clock: manualClock(), resolveUser });
    await store.insertBusiness({ id: "1", name: "Norte", tier: "STANDARD", timeZone: "UTC", createdAt: 0 });
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

  it("keeps nothing readable of the answer in the store", async () => {
    const store = memoryStore();
    const responses: string[] = [];
    const { create } = await world(
      {
        insertBudget: (budget, events, receipt) => {
          responses.push(receipt?.response ?? "");
          return store.insertBudget(budget, events, receipt);
        },
      },
      store,
    );
    await create();
    expect(responses).toHaveLength(1);
    expect(responses[0]).toMatch(/^v1\.[\w-]+$/);
  });
});
