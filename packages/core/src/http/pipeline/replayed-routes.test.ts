import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { scryptHasher } from "../../access/password.js";
import { type BudgetService, createBudgetService } from "../../create-service.js";
import type { Actor } from "../../kernel/actor.js";
import { MINUTE_MS } from "../../kernel/clock.js";
import type { Store } from "../../store.js";
import { routes } from "../route-table.js";

const ROOT = "https://host.example";
const OF_REQUEST = /ratelimit|request-id/;
const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
const offer = {
  currency: "USD",
  issueDate: "2026-03-01",
  expirationDate: "2026-12-31",
  customerId: 7,
  sellerId: 8,
  minimumPaymentToConfirm: 0,
  subtotal: 450,
  total: 450,
  iva: 0,
  items: [{ quantity: 1, unitPrice: 450 }],
};

/** It takes a look-up to find out which one is stored. What is deleted is not found. */
const SEVERAL = '"v1", "v2", "v3", "v4"';

/** A service, called by a user of the host, on a store that notes the names of its calls. */
async function world({ hasHostLogin }: { readonly hasHostLogin: boolean }) {
  const calls: string[] = [];
  const store: Store = new Proxy(memoryStore(), {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        calls.push(String(name));
        return Reflect.apply(value, target, args);
      };
    },
  });
  let businessId = "";
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const random = seededRandom(3);
  const service = createBudgetService({
    store,
    clock,
    random,
    secret: "a secret for tests that is long enough",
    ...(hasHostLogin ? { resolveUser: () => ({ businessId, userId: "7", role: "OWNER" }) as const } : {}),
    passwordHasher: scryptHasher(random, { cost: 2 }),
    mailer: { send: async () => {}, sendMessage: async () => {} },
  });
  businessId = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap().id;
  const actor: Actor = { kind: "system", businessId };
  (await service.businesses.update(actor, { numberPattern: "Q-{seq:4}" }))._unsafeUnwrap();
  const authorization = hasHostLogin ? {} : { authorization: `Bearer ${await loginTo(service, businessId)}` };
  const send = async (path: string, body: object | undefined) => {
    const headers = {
      ...authorization,
      "idempotency-key": "one",
      "if-match": path.endsWith("/restore") ? '"v2"' : SEVERAL,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const init = { method: methodOf(path), headers, body: body === undefined ? null : JSON.stringify(body) };
    const response = await service.fetch(new Request(ROOT + path.replace(/^DELETE /, ""), init));
    const ofResult = [...response.headers].filter(([name]) => !OF_REQUEST.test(name));
    return { status: response.status, headers: Object.fromEntries(ofResult), text: await response.text() };
  };
  const budget = async (given: object = {}) =>
    (await service.budgets.create(actor, { customerId: "c", items, ...given }))._unsafeUnwrap().id;
  const approved = async () => {
    const budgetId = await budget();
    (await service.budgets.update(actor, budgetId, { status: "APPROVED" }))._unsafeUnwrap();
    return budgetId;
  };
  const set = async () => {
    const { id: productId } = (await service.products.create(actor, { name: "Chair", unitPrice: 5 }))._unsafeUnwrap();
    return { name: "Set", items: [{ productId, quantity: 1 }] };
  };
  return { service, actor, clock, calls, send, budget, approved, set };
}

async function loginTo({ users, sessions }: BudgetService, businessId: string): Promise<string> {
  const login = { email: "olga@example.com", password: "correct horse battery" };
  (await users.create({ ...login, businessId, displayName: "Olga", role: "OWNER" }))._unsafeUnwrap();
  return (await sessions.login(login))._unsafeUnwrap().access_token;
}

type World = Awaited<ReturnType<typeof world>>;

const methodOf = (path: string) => (path.startsWith("DELETE ") ? "DELETE" : "POST");

/** The path and the body of a request that succeeds, by operation; what it needs is made first. */
type Sample = (world: World) => Promise<[path: string, body?: object]>;
const BUDGETS = "/api/public/budgets";

const SAMPLES: Readonly<Record<string, Sample>> = {
  createBudget: async () => [BUDGETS, { customerId: "c", items }],
  submitBudget: async ({ budget }) => [`${BUDGETS}/${await budget({ draft: true })}/submit`],
  withdrawBudget: async ({ budget }) => [`${BUDGETS}/${await budget()}/withdraw`],
  completeBudget: async ({ approved }) => [`${BUDGETS}/${await approved()}/complete`],
  archiveBudget: async ({ approved, service, actor }) => {
    const id = await approved();
    (await service.budgets.complete(actor, id))._unsafeUnwrap();
    return [`${BUDGETS}/${id}/archive`];
  },
  restoreBudget: async ({ budget, service, actor }) => {
    const id = await budget();
    (await service.budgets.delete(actor, id))._unsafeUnwrap();
    return [`${BUDGETS}/${id}/restore`];
  },
  reopenBudget: async ({ approved }) => [`${BUDGETS}/${await approved()}/reopen`, { reason: "asked for" }],
  duplicateBudget: async ({ budget }) => [`${BUDGETS}/${await budget()}/duplicate`],
  recordPayment: async ({ budget }) => [`${BUDGETS}/${await budget()}/payments`, { amount: 10, reference: "r" }],
  sendMessage: async ({ budget }) => [`${BUDGETS}/${await budget()}/messages`, { message: "Hello" }],
  createPublicBudget: async () => ["/budgets/public", offer],
  createPublicLink: async ({ budget }) => [`${BUDGETS}/${await budget()}/public-link`, {}],
  removePublicLink: async ({ budget, service, actor }) => {
    const id = await budget();
    (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    return [`DELETE ${BUDGETS}/${id}/public-link`];
  },
  sendBudget: async ({ budget }) => [`${BUDGETS}/${await budget({ draft: true })}/send`, { to: "ana@example.com" }],
  remindBudgets: async ({ service, actor, budget }) => {
    (await service.customers.create(actor, { id: "c", name: "Ana", email: "ana@example.com" }))._unsafeUnwrap();
    return [`${BUDGETS}/remind`, { budgetIds: [await budget(), "unknown"] }];
  },
  extendBudgets: async ({ budget }) => [
    `${BUDGETS}/extend`,
    { budgetIds: [await budget({ validUntil: "2026-04-01" }), "unknown"], validUntil: "2026-05-01" },
  ],
  createCustomer: async () => ["/api/public/customers", { name: "Ana" }],
  createProduct: async () => ["/api/public/products", { name: "Chair", sku: "CH" }],
  createPackage: async ({ set }) => ["/api/public/packages", await set()],
  restoreCustomer: async ({ service, actor }) => {
    (await service.customers.create(actor, { id: "gone", name: "Ana" }))._unsafeUnwrap();
    (await service.customers.delete(actor, "gone"))._unsafeUnwrap();
    return ["/api/public/customers/gone/restore"];
  },
  restoreProduct: async ({ service, actor }) => {
    (await service.products.create(actor, { id: "gone", name: "Chair" }))._unsafeUnwrap();
    (await service.products.delete(actor, "gone"))._unsafeUnwrap();
    return ["/api/public/products/gone/restore"];
  },
  restorePackage: async ({ service, actor, set }) => {
    (await service.packages.create(actor, { id: "gone", ...(await set()) }))._unsafeUnwrap();
    (await service.packages.delete(actor, "gone"))._unsafeUnwrap();
    return ["/api/public/packages/gone/restore"];
  },
  inviteUser: async () => ["/api/developer/users", { email: "ben@example.com", displayName: "Ben", role: "MEMBER" }],
  createApiKey: async () => ["/api-keys", { name: "Shop", scopes: ["READ_BUDGETS"] }],
};

/** Deletes everything that a request may have made or changed. */
async function moveOn({ service, actor, clock }: World): Promise<void> {
  clock.advance(30 * MINUTE_MS); // the access token stays valid
  (await service.businesses.update(actor, { name: "Sur", numberPattern: "N{seq}" }))._unsafeUnwrap();
  for (const { id } of (await service.budgets.list(actor))._unsafeUnwrap().data)
    await service.budgets.delete(actor, id);
  for (const kind of [service.customers, service.products, service.packages]) {
    for (const { id } of (await kind.list(actor))._unsafeUnwrap().data) await kind.delete(actor, id);
  }
  for (const { id } of (await service.keys.list(actor))._unsafeUnwrap().data) await service.keys.revoke(actor, id);
  for (const { id } of (await service.users.list(actor))._unsafeUnwrap().data) {
    await service.users.remove(actor, String(id)); // not the last OWNER, who is logged in
  }
}

describe("a replayed request", () => {
  const idempotent = routes.filter((route) => route.idempotent).map(({ operationId }) => operationId);

  it("each route that accepts an Idempotency-Key has a sample of a replay", () => {
    expect(Object.keys(SAMPLES).sort()).toEqual([...idempotent].sort());
  });

  it.each(idempotent)(
    "replays %s byte for byte after the state has moved on, and performs no operation",
    async (name) => {
      const hasHostLogin = name !== "inviteUser"; // users are invited to the service's own login alone
      const given = await world({ hasHostLogin });
      const [path, body] = (await SAMPLES[name]?.(given)) ?? [""];
      const first = await given.send(path, body);
      expect(first.status).toBeOneOf([200, 201]);
      await moveOn(given);
      given.calls.length = 0;
      const replayed = await given.send(path, body);
      expect(replayed).toEqual({ ...first, headers: { ...first.headers, "idempotent-replayed": "true" } });
      const authentication = hasHostLogin ? [] : ["findSession", "findUser"];
      const limitAndKey = ["findBusiness", "consume", "claimKey"]; // the limit of the user, then the key
      expect(given.calls).toEqual([...authentication, ...limitAndKey]);
    },
  );
});
