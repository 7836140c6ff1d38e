import assert from "node:assert/strict";
import { type ApiKey, KEY_STATUSES } from "../../access/api-key.js";
import type { Business } from "../../access/business.js";
import type { Session, User } from "../../access/user.js";
import { BUDGET_STATUSES, type Budget } from "../../budgets/budget.js";
import type { CustomerSummary, ProductSummary } from "../../catalog/catalog-store.js";
import type { DomainEvent } from "../../events/event.js";
import { ROLES, SCOPES } from "../../kernel/actor.js";
import {
  aBudget,
  aBudgetQuery,
  aBusiness,
  aCustomer,
  anApiKey,
  anEvent,
  anEventQuery,
  anItem,
  aProduct,
  aSession,
  aUser,
  FIXTURE_TIME,
} from "../fixtures.js";
import type { Suite } from "./suite.js";

type Cases<Model> = Readonly<Record<string, Partial<Model>>>;

const MAX = Number.MAX_SAFE_INTEGER;
const YEAR_2000 = Date.UTC(2000, 0, 1);
const END_OF_2100 = Date.UTC(2101, 0, 1) - 1;
const ODD_TEXT = `'"\\%_;--<b>&amp;</b> ñ é e\u0301 日本 🪑👩‍👩‍👧 \u202e \t\r\n {"a":1}`;
const NESTED = {
  'quoted "key"': { "back\\slash": ["ünï", null, true, false, 0, -1, 0.1, 1e21, MAX, -MAX, "", [], {}] },
  "": "an empty key",
  "clé 🪑": { deep: { deeper: { deepest: [[[["x"]]]] } } },
  toString: "not a method",
  "a.b[0]": "a path is no path",
};

export function roundTripCases(suite: Suite): void {
  budgetRoundTrips(suite);
  eventRoundTrips(suite);
  accessRoundTrips(suite);
  catalogRoundTrips(suite);
}

const BUDGETS: Cases<Budget> = {
  "of plain values": {},
  "with the largest amounts": {
    subtotal: MAX,
    discount: MAX,
    tax: MAX,
    total: MAX,
    items: [anItem({ total: MAX, discount: MAX, tax: MAX, quantity: 1e15, unitPrice: 9_007_199_254.740992 })],
  },
  "with amounts of nothing": { subtotal: 0, discount: 0, tax: 0, total: 0, items: [anItem({ total: 0, tax: 0 })] },
  "with decimals in quantity and price": {
    items: [anItem({ quantity: 0.000001, unitPrice: 0.1 }), anItem({ quantity: 1.005 })],
  },
  "in a currency without decimals": { currency: "JPY", total: 1 },
  "in a currency of three decimals": { currency: "BHD", total: 1 },
  "of 500 items": {
    items: Array.from({ length: 500 }, (_, index) => anItem({ id: String(index + 1), description: `Line ${index} ñ` })),
  },
  "without items": { items: [] },
  "with the longest description": { items: [anItem({ description: "d".repeat(2_000) })] },
  "with items from the catalog": {
    items: [anItem({ productId: "700", variantId: "v:1" }), anItem({ id: "12", packageId: "pack.1" })],
  },
  "with notes of 10,000 characters": { notes: "ñ🪑x\n".repeat(2_000) },
  "with odd text everywhere": {
    notes: ODD_TEXT,
    createdBy: `customer:${ODD_TEXT}`,
    approvedBy: `customer:${ODD_TEXT}`,
    items: [anItem({ description: ODD_TEXT })],
  },
  "with empty notes, which are not the same as none": { notes: "" },
  "with nested metadata": { metadata: NESTED },
  "with 50 keys of metadata": {
    metadata: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key ${index}`, "v".repeat(250)])),
  },
  "taxed by an amount": { taxRate: null },
  "taxed at nothing": { taxRate: 0 },
  "taxed at a rate of many decimals": { taxRate: 0.105 },
  "taxed in full": { taxRate: 1 },
  "that is valid until a moment": { validUntil: END_OF_2100 },
  "of the first moment of 2000": { createdAt: YEAR_2000, updatedAt: YEAR_2000, validUntil: YEAR_2000 },
  "of the last moment of 2100": { createdAt: END_OF_2100, updatedAt: END_OF_2100 },
  "that was approved": { status: "APPROVED", approvedAt: FIXTURE_TIME + 1, approvedBy: "user:30" },
  "that was deleted": { status: "DELETED", deletion: { deletedAt: FIXTURE_TIME + 1, from: "ARCHIVED" } },
  "with a public link": { publicTokenHash: "a".repeat(64) },
  "made by public creation": {
    publicOffer: { sellerId: "s:1", issueDate: YEAR_2000, minimumPaymentToConfirm: MAX },
    publicTokenHash: "b".repeat(64),
    taxRate: null,
  },
  "of a customer whose id looks like a number": { customerId: "00123" },
  "of a customer with the longest id": { customerId: "A.b_c:d-".repeat(8) },
  "at a high version": { version: 2 ** 31 },
};

function budgetRoundTrips({ describe, it, itDurably }: Suite): void {
  describe("a budget comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(BUDGETS)) {
      it(`${name}, added`, async (store) => {
        const budget = aBudget(overrides);
        await store.insertBudget(budget, [], null);
        assert.deepEqual(await store.findBudget("1", "10"), budget);
        const query = aBudgetQuery({ includeDeleted: true });
        assert.deepEqual((await store.listBudgets("1", query)).entries, [budget]);
      });

      it(`${name}, in the place of another`, async (store) => {
        await store.insertBudget(aBudget(BUDGETS["made by public creation"]), [], null);
        const budget = aBudget({ version: 2, ...overrides });
        assert.equal(await store.replaceBudget(budget, 1, [], null), "written");
        assert.deepEqual(await store.findBudget("1", "10"), budget);
      });
    }

    for (const status of BUDGET_STATUSES) {
      it(`in ${status}`, async (store) => {
        await store.insertBudget(aBudget({ status }), [], null);
        assert.equal((await store.findBudget("1", "10"))?.status, status);
      });
    }

    it("by its public link and by the search for overdue ones", async (store) => {
      const budget = aBudget({ publicTokenHash: "hash", metadata: NESTED, validUntil: FIXTURE_TIME });
      await store.insertBudget(budget, [], null);
      assert.deepEqual(await store.findBudgetByPublicToken("hash"), budget);
      assert.deepEqual(await store.findOverdueBudgets("1", FIXTURE_TIME, 10), [budget]);
      assert.deepEqual(await store.findAllOverdueBudgets(FIXTURE_TIME, 10), [budget]);
    });

    itDurably("after the store was reopened, whatever it holds", async (store, reopen) => {
      const budgets = Object.values(BUDGETS).map((overrides, index) =>
        aBudget({ ...overrides, id: String(100 + index), publicTokenHash: null }),
      );
      for (const budget of budgets) await store.insertBudget(budget, [], null);
      const again = await reopen();
      for (const budget of budgets) assert.deepEqual(await again.findBudget("1", budget.id), budget);
    });
  });
}

const EVENTS: Cases<DomainEvent> = {
  "of plain values": {},
  "with nested data": { data: NESTED },
  "without data": { data: {} },
  "with odd text everywhere": {
    actor: `customer:${ODD_TEXT}`,
    change: { fields: ["notes", "items[0].quantity"], from: "PENDING", to: "DRAFT", reason: ODD_TEXT },
  },
  "of something that was not there before": { change: { fields: [], from: null, to: null, reason: null } },
  "of a customer of the host's own id": { type: "customer.updated", subjectId: "cus:A-1" },
  "with large data": { data: { items: Array.from({ length: 500 }, (_, index) => ({ index, text: "x".repeat(100) })) } },
  "of the last moment of 2100": { occurredAt: END_OF_2100 },
};

function eventRoundTrips({ describe, it }: Suite): void {
  describe("an event comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(EVENTS)) {
      it(name, async (store) => {
        const event = anEvent(overrides);
        await store.insertBudget(aBudget(), [event], null);
        const [stored] = (await store.listEvents("1", anEventQuery())).entries;
        assert.deepEqual(stored, { ...event, sequence: stored?.sequence });
      });
    }
  });
}

const KEYS: Cases<ApiKey> = {
  "of plain values": {},
  "with everything set": {
    description: ODD_TEXT,
    scopes: SCOPES,
    rateLimitPerHour: MAX,
    allowedIps: ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1"],
    expiresAt: END_OF_2100,
    webhookUrl: "https://example.com/hook?a=b&c=%20#ñ",
    sealedWebhookSecret: "v1.".padEnd(500, "x"),
    previousKeyHash: "previous",
    previousKeyExpiresAt: FIXTURE_TIME + 1,
    revokedAt: FIXTURE_TIME + 2,
    lastUsedAt: FIXTURE_TIME + 3,
  },
  "without scopes": { scopes: [] },
  "that no address may use, which is not the same as any": { allowedIps: [] },
  "with an empty description, which is not the same as none": { description: "" },
  "with the longest name": { name: "ñ".repeat(255) },
  "with 100 ranges of addresses": { allowedIps: Array.from({ length: 100 }, (_, index) => `10.${index}.0.0/16`) },
};

const USERS: Cases<User> = {
  "of plain values": {},
  "with everything set": { avatarUrl: "https://example.com/a.png", displayName: ODD_TEXT },
  "whose email is not verified": { emailVerified: false },
  "with a long password hash": { passwordHash: `$scrypt$ln=17,r=8,p=1$${"A+/".repeat(60)}` },
};

const BUSINESSES: Cases<Business> = {
  "of plain values": {},
  "with odd text as its name": { name: ODD_TEXT },
  "in another time zone": { timeZone: "America/Argentina/Buenos_Aires", tier: "ENTERPRISE" },
  "of the largest id": { id: String(MAX) },
};

const SESSIONS: Cases<Session> = {
  "that is live": {},
  "that has ended": { endedAt: FIXTURE_TIME + 1 },
  "that lasts until 2100": { refreshExpiresAt: END_OF_2100 },
};

function accessRoundTrips({ describe, it }: Suite): void {
  describe("an API key comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(KEYS)) {
      it(name, async (store) => {
        const key = anApiKey(overrides);
        await store.insertKey(key, null);
        assert.deepEqual(await store.findKey("1", "20"), key);
        assert.deepEqual(await store.findKeyByHash(key.keyHash), key);
        assert.deepEqual((await store.listKeys("1", 10, 0)).entries, [key]);
      });
    }

    for (const status of KEY_STATUSES) {
      it(`when it becomes ${status}`, async (store) => {
        await store.insertKey(anApiKey(), null);
        const next = anApiKey({ ...KEYS["with everything set"], version: 2, status, lastUsedAt: null });
        await store.replaceKey(next, 1);
        assert.deepEqual(await store.findKey("1", "20"), next);
      });
    }
  });

  describe("a user comes back as they went in", () => {
    for (const [name, overrides] of Object.entries(USERS)) {
      it(name, async (store) => {
        const user = aUser(overrides);
        await store.insertUser(user);
        assert.deepEqual(await store.findUser("1", "30"), user);
        assert.deepEqual(await store.findUserByEmail(user.emailKey), user);
      });
    }

    for (const role of ROLES) {
      it(`as ${role}`, async (store) => {
        await store.insertUser(aUser({ role }));
        assert.equal((await store.findUser("1", "30"))?.role, role);
      });
    }
  });

  describe("a business comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(BUSINESSES)) {
      it(name, async (store) => {
        const business = aBusiness(overrides);
        await store.insertBusiness(business);
        assert.deepEqual(await store.findBusiness(business.id), business);
      });
    }
  });

  describe("a session comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(SESSIONS)) {
      it(name, async (store) => {
        const session = aSession(overrides);
        await store.insertSession(session);
        assert.deepEqual(await store.findSession("1", "40"), session);
      });
    }
  });
}

const CUSTOMERS: Cases<CustomerSummary> = {
  "of plain values": {},
  "of whom the name alone is known": { email: null, phone: null },
  "with odd text everywhere": { name: ODD_TEXT, email: ODD_TEXT, phone: ODD_TEXT },
  "with empty fields, which are not the same as none": { email: "", phone: "" },
};

const PRODUCTS: Cases<ProductSummary> = {
  "of plain values": {},
  "without a sku": { sku: null },
  "with odd text everywhere": { name: ODD_TEXT, sku: ODD_TEXT },
  "with an empty sku, which is not the same as none": { sku: "" },
};

function catalogRoundTrips({ describe, it }: Suite): void {
  describe("a customer comes back as they went in", () => {
    for (const [name, overrides] of Object.entries(CUSTOMERS)) {
      it(name, async (store) => {
        await store.saveCustomer("1", aCustomer(overrides));
        assert.deepEqual(await store.findCustomers("1", ["500"]), [aCustomer(overrides)]);
      });
    }
  });

  describe("a product comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(PRODUCTS)) {
      it(name, async (store) => {
        await store.saveProduct("1", aProduct(overrides));
        assert.deepEqual(await store.findProducts("1", ["700"]), [aProduct(overrides)]);
      });
    }
  });
}
