import assert from "node:assert/strict";
import {
  type ApiKey,
  insertEndpointCommit,
  insertIntegrationCommit,
  insertKeyCommit,
  NO_KEY_LIMITS,
  type Refusal,
  removeEndpointCommit,
  removeIntegrationCommit,
  replaceKeyCommit,
  type Store,
  type StoreCommit,
} from "@budgetkit/core/store";
import { anApiKey } from "../fixtures.js";
import { anIntegration } from "../integration-fixtures.js";
import { outcomeOf } from "../outcome.js";
import { anEndpoint } from "../webhook-fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

/** A limit on records of a business. */
interface Limit {
  readonly of: string;
  readonly refusal: Refusal;
  insert(id: string, limit: number, businessId?: string): StoreCommit;
  /** Records that count, though they are not active. */
  readonly counted: StoreCommit | null;
  /** Records that do not count. */
  readonly ignored: readonly StoreCommit[];
  /** Makes room that record 20 takes. */
  readonly remove: StoreCommit;
  count(store: Store): Promise<number>;
}

/** A key that callbacks go to. */
function calledKey(id: string, overrides: Partial<ApiKey> = {}): ApiKey {
  return anApiKey({ id, keyHash: `hash of ${id}`, webhookUrl: "https://shop.example/hooks", ...overrides });
}

const ofKeys = (keys: number) => ({ ...NO_KEY_LIMITS, keys });
const ofCalled = (withWebhook: number) => ({ ...NO_KEY_LIMITS, withWebhook });
const plain = (id: string, overrides: Partial<ApiKey> = {}) => calledKey(id, { webhookUrl: null, ...overrides });

const LIMITS: readonly Limit[] = [
  {
    of: "keys",
    refusal: "key-limit",
    insert: (id, limit, businessId = "1") => insertKeyCommit(plain(id, { businessId }), ofKeys(limit)),
    counted: insertKeyCommit(plain("90", { status: "SUSPENDED" }), ofKeys(9)),
    ignored: [insertKeyCommit(plain("91", { status: "REVOKED" }), ofKeys(9))],
    remove: replaceKeyCommit(plain("20", { version: 2, status: "REVOKED" }), 1),
    count: async (store) => (await store.listKeys("1", 99, 0)).total,
  },
  {
    of: "keys with a webhookUrl",
    refusal: "webhook-limit",
    insert: (id, limit, businessId = "1") => insertKeyCommit(calledKey(id, { businessId }), ofCalled(limit)),
    counted: null,
    ignored: [
      insertKeyCommit(plain("91"), ofCalled(1)),
      insertKeyCommit(calledKey("92", { status: "SUSPENDED" }), ofCalled(1)),
    ],
    remove: replaceKeyCommit(calledKey("20", { version: 2, status: "REVOKED" }), 1),
    count: async (store) => (await store.listKeys("1", 99, 0)).total,
  },
  {
    of: "endpoints",
    refusal: "webhook-limit",
    insert: (id, limit, businessId = "1") => insertEndpointCommit(anEndpoint({ id, businessId }), limit),
    counted: insertEndpointCommit(anEndpoint({ id: "90", status: "DISABLED" }), 9),
    ignored: [],
    remove: removeEndpointCommit("1", "20"),
    count: async (store) => (await store.listEndpoints("1", 99, 0)).total,
  },
  {
    of: "integrations",
    refusal: "integration-limit",
    insert: (id, limit, businessId = "1") => insertIntegrationCommit(anIntegration({ id, businessId }), limit),
    counted: insertIntegrationCommit(anIntegration({ id: "90", status: "INACTIVE" }), 9),
    ignored: [],
    remove: removeIntegrationCommit("1", "20"),
    count: async (store) => (await store.listIntegrations("1", 99, 0)).total,
  },
];

export function limitCases(suite: Suite): void {
  for (const limit of LIMITS) suite.describe(`a limit on ${limit.of}`, () => recordCases(suite, limit));
  changedKeyCases(suite);
}

function recordCases({ it }: Suite, { of, refusal, insert, counted, ignored, remove, count }: Limit): void {
  it(`refuses records beyond the limit on ${of}, counting those that are inactive and not revoked`, async (store) => {
    for (const commit of ignored) assert.equal(await outcomeOf(store, commit), "written");
    assert.equal(await outcomeOf(store, counted ?? insert("90", 1)), "written");
    assert.equal(await outcomeOf(store, insert("20", 2)), "written");
    const before = await count(store);
    assert.equal(await outcomeOf(store, insert("21", 2)), refusal);
    assert.equal(await count(store), before);
  });

  it(`20 concurrent callers never exceed the limit on ${of}`, async (store) => {
    const outcomes = await allAtOnce(20, (index) => outcomeOf(store, insert(String(20 + index), 7)));
    assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, refusal)], [7, 13]);
    assert.equal(await count(store), 7);
  });

  it(`removing a record makes room below the limit on ${of}, which each business has for itself`, async (store) => {
    await store.commit(insert("20", 1));
    assert.equal(await outcomeOf(store, insert("21", 1, "2")), "written");
    assert.equal(await outcomeOf(store, remove), "written");
    assert.equal(await outcomeOf(store, insert("22", 1)), "written");
  });
}

function changedKeyCases({ describe, it }: Suite): void {
  describe("limits on keys", () => {
    it("the limit on keys with a webhookUrl ignores keys without one, or not ACTIVE, when it is reached", async (store) => {
      await store.commit(insertKeyCommit(calledKey("20"), ofCalled(1)));
      for (const key of [plain("21"), calledKey("22", { status: "SUSPENDED" })]) {
        assert.equal(await outcomeOf(store, insertKeyCommit(key, ofCalled(1))), "written");
      }
    });

    it("the limit on keys applies beside that on keys with a webhookUrl", async (store) => {
      await store.commit(insertKeyCommit(calledKey("20")));
      const limits = { keys: 2, withWebhook: 1 };
      assert.equal(await outcomeOf(store, insertKeyCommit(calledKey("21"), limits)), "webhook-limit");
      assert.equal(await outcomeOf(store, insertKeyCommit(plain("22"), limits)), "written");
      assert.equal(await outcomeOf(store, insertKeyCommit(plain("23"), limits)), "key-limit");
    });

    it("refuses a webhookUrl, or reactivation, of a key beyond the limit (webhook-limit)", async (store) => {
      await store.commit(insertKeyCommit(calledKey("20")));
      await store.commit(insertKeyCommit(plain("21")));
      await store.commit(insertKeyCommit(calledKey("22", { status: "SUSPENDED" })));
      for (const id of ["21", "22"]) {
        const before = await store.findKey("1", id);
        assert.equal(await outcomeOf(store, replaceKeyCommit(calledKey(id, { version: 2 }), 1, 1)), "webhook-limit");
        assert.deepEqual(await store.findKey("1", id), before);
        assert.equal(await outcomeOf(store, replaceKeyCommit(calledKey(id, { version: 3 }), 2, 1)), "stale");
      }
      assert.equal(await outcomeOf(store, replaceKeyCommit(calledKey("21", { version: 2 }), 1, 2)), "written");
    });

    it("the limit on keys with a webhookUrl hinders no other change, even beyond it", async (store) => {
      for (const id of ["20", "21"]) await store.commit(insertKeyCommit(calledKey(id)));
      const changes = [
        replaceKeyCommit(calledKey("20", { version: 2, name: "renamed" }), 1, 1),
        replaceKeyCommit(plain("20", { version: 3 }), 2, 1),
        replaceKeyCommit(calledKey("21", { version: 2, status: "SUSPENDED" }), 1, 1),
        replaceKeyCommit(calledKey("20", { version: 4 }), 3, 1),
      ];
      for (const change of changes) assert.equal(await outcomeOf(store, change), "written");
    });

    it("10 keys that get a URL concurrently never exceed the limit (webhook-limit)", async (store) => {
      await allAtOnce(10, (index) => store.commit(insertKeyCommit(plain(String(20 + index)))));
      const outcomes = await allAtOnce(10, (index) =>
        outcomeOf(store, replaceKeyCommit(calledKey(String(20 + index), { version: 2 }), 1, 4)),
      );
      assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, "webhook-limit")], [4, 6]);
    });

    it("refuses a webhookUrl for an unknown key (stale)", async (store) => {
      await store.commit(insertKeyCommit(calledKey("20")));
      assert.equal(await outcomeOf(store, replaceKeyCommit(calledKey("21", { version: 2 }), 1, 1)), "stale");
      const foreign = calledKey("20", { businessId: "2", version: 2 });
      assert.equal(await outcomeOf(store, replaceKeyCommit(foreign, 1, 0)), "stale");
    });
  });
}
