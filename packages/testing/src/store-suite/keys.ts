import assert from "node:assert/strict";
import {
  type ApiKey,
  insertBusinessCommit,
  insertKeyCommit,
  KEY_STATUSES,
  MINUTE_MS,
  replaceKeyCommit,
  type Store,
  setTierCommit,
  TIERS,
  touchKeyCommit,
} from "@budgetkit/core/store";
import { aBusiness, anApiKey, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, type Suite } from "./suite.js";

const BUSINESS = "1";

export function keyCases(suite: Suite): void {
  lookupCases(suite);
  replaceCases(suite);
  touchCases(suite);
  listCases(suite);
}

function lookupCases({ describe, it }: Suite): void {
  describe("looking an API key up", () => {
    it("finds an API key by its id within its business", async (store) => {
      await store.commit(insertKeyCommit(anApiKey()));
      assert.deepEqual(await store.findKey("1", "20"), anApiKey());
      assert.equal(await store.findKey("2", "20"), null);
      assert.equal(await store.findKey("1", "21"), null);
    });

    it("finds an API key by its digest in any business", async (store) => {
      await store.commit(insertBusinessCommit(aBusiness({ id: "2", tier: "PREMIUM" })));
      const key = anApiKey({ businessId: "2", keyHash: "digest" });
      await store.commit(insertKeyCommit(key));
      assert.deepEqual(await store.findKeyByHash("digest"), { ...key, tier: "PREMIUM" });
    });

    it("an API key has the present tier of its business, by either digest", async (store) => {
      await store.commit(insertBusinessCommit(aBusiness()));
      await store.commit(
        insertKeyCommit(anApiKey({ keyHash: "new", previousKeyHash: "old", previousKeyExpiresAt: NOW })),
      );
      for (const tier of TIERS) {
        await store.commit(setTierCommit(BUSINESS, tier));
        for (const hash of ["new", "old"]) assert.equal((await store.findKeyByHash(hash))?.tier, tier);
      }
    });

    it("finds no API key of an unknown business", async (store) => {
      await store.commit(insertKeyCommit(anApiKey({ keyHash: "digest" })));
      assert.equal(await store.findKeyByHash("digest"), null);
    });

    it("finds an API key by the digest of the replaced key", async (store) => {
      const key = anApiKey({ keyHash: "new", previousKeyHash: "old", previousKeyExpiresAt: NOW });
      await insert(store, key);
      for (const hash of ["old", "new"])
        assert.deepEqual(await store.findKeyByHash(hash), { ...key, tier: "STANDARD" });
    });

    for (const hash of ["DIGEST", "diges", "digest ", "", "null", "%"]) {
      it(`finds nothing by ${JSON.stringify(hash)}, which is the digest of no key`, async (store) => {
        await insert(store, anApiKey({ keyHash: "digest" }));
        assert.equal(await store.findKeyByHash(hash), null);
      });
    }

    for (const status of KEY_STATUSES) {
      it(`finds a key that is ${status}: the store does not judge its use`, async (store) => {
        await insert(store, anApiKey({ status, expiresAt: NOW - 1 }));
        assert.equal((await store.findKeyByHash(anApiKey().keyHash))?.status, status);
      });
    }
  });
}

function replaceCases({ describe, it }: Suite): void {
  describe("replacing an API key", () => {
    it("a revocation is visible to the very next lookup", async (store) => {
      await insert(store, anApiKey());
      await store.findKeyByHash(anApiKey().keyHash);
      await store.commit(replaceKeyCommit(anApiKey({ version: 2, status: "REVOKED", revokedAt: NOW }), 1));
      assert.equal((await store.findKeyByHash(anApiKey().keyHash))?.status, "REVOKED");
    });

    it("replacing an API key keeps the stored last use", async (store) => {
      await store.commit(insertKeyCommit(anApiKey()));
      await store.commit(touchKeyCommit(BUSINESS, "20", NOW + MINUTE_MS));
      await store.commit(replaceKeyCommit(anApiKey({ version: 2, lastUsedAt: null }), 1));
      assert.equal((await store.findKey(BUSINESS, "20"))?.lastUsedAt, NOW + MINUTE_MS);
      await store.commit(replaceKeyCommit(anApiKey({ version: 3, lastUsedAt: NOW + 9 * MINUTE_MS }), 2));
      assert.equal((await store.findKey(BUSINESS, "20"))?.lastUsedAt, NOW + MINUTE_MS);
    });

    it("regenerating an API key moves its lookups", async (store) => {
      await insert(store, anApiKey({ keyHash: "first" }));
      await store.commit(replaceKeyCommit(anApiKey({ version: 2, keyHash: "second", previousKeyHash: "first" }), 1));
      assert.equal((await store.findKeyByHash("first"))?.version, 2);
      await store.commit(replaceKeyCommit(anApiKey({ version: 3, keyHash: "third", previousKeyHash: "second" }), 2));
      assert.equal(await store.findKeyByHash("first"), null);
      assert.equal((await store.findKeyByHash("second"))?.version, 3);
      assert.equal((await store.findKeyByHash("third"))?.version, 3);
    });
  });
}

function touchCases({ describe, it }: Suite): void {
  describe("recording the use of an API key", () => {
    it("touchKey never moves the last use backwards", async (store) => {
      await store.commit(insertKeyCommit(anApiKey()));
      for (const minute of [2, 5, 3, 0, 4])
        await store.commit(touchKeyCommit(BUSINESS, "20", NOW + minute * MINUTE_MS));
      assert.equal((await store.findKey(BUSINESS, "20"))?.lastUsedAt, NOW + 5 * MINUTE_MS);
    });

    it("touchKey keeps the latest of many concurrent uses", async (store) => {
      await store.commit(insertKeyCommit(anApiKey()));
      await allAtOnce(20, (index) =>
        outcomeOf(store, touchKeyCommit(BUSINESS, "20", NOW + ((index * 7) % 20) * MINUTE_MS)),
      );
      assert.equal((await store.findKey(BUSINESS, "20"))?.lastUsedAt, NOW + 19 * MINUTE_MS);
    });

    it("touchKey makes no writer of the key stale", async (store) => {
      await store.commit(insertKeyCommit(anApiKey()));
      await store.commit(touchKeyCommit(BUSINESS, "20", NOW));
      assert.equal(await outcomeOf(store, replaceKeyCommit(anApiKey({ version: 2 }), 1)), "written");
    });
  });
}

function listCases({ describe, it }: Suite): void {
  describe("listing API keys", () => {
    it("lists revoked API keys, for the audit", async (store) => {
      await store.commit(insertKeyCommit(anApiKey({ status: "REVOKED", revokedAt: NOW })));
      assert.deepEqual(await idsOf(store, 10, 0), ["20"]);
    });
  });
}

async function idsOf(store: Store, limit: number, offset: number): Promise<string[]> {
  return (await store.listKeys(BUSINESS, limit, offset)).entries.map((key) => key.id);
}

/** Inserts a key and its business. */
async function insert(store: Store, key: ApiKey): Promise<void> {
  await store.commit(insertBusinessCommit(aBusiness({ id: key.businessId })));
  await store.commit(insertKeyCommit(key));
}
