import assert from "node:assert/strict";
import { anApiKey, FIXTURE_TIME as NOW } from "../fixtures.js";
import { anEndpoint } from "../webhook-fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";

const rotatedKey = anApiKey({ previousSealedWebhookSecret: "v1.former", previousWebhookSecretUntil: NOW });
const rotatedEndpoint = anEndpoint({ previousSealedSecret: "v1.former", previousSecretUntil: NOW });

export function replacedSecretCases({ describe, it }: Suite): void {
  describe("clearing webhook secrets that were replaced", () => {
    it("clears replaced webhook secrets whose grace period is over, and leaves everything else", async (store) => {
      await store.insertKey({ ...rotatedKey, lastUsedAt: NOW + 3 }, null);
      await store.insertEndpoint(rotatedEndpoint);
      assert.equal(await store.clearReplacedSecrets(NOW, 10), 2);
      assert.deepEqual(await store.findKey("1", "20"), anApiKey({ lastUsedAt: NOW + 3 }));
      assert.deepEqual(await store.findEndpoint("1", "60"), anEndpoint());
      assert.equal(await store.clearReplacedSecrets(NOW, 10), 0);
    });

    it("keeps replaced webhook secrets that still sign, and those that were never replaced", async (store) => {
      const key = { ...rotatedKey, previousWebhookSecretUntil: NOW + 1 };
      await store.insertKey(key, null);
      await store.insertEndpoint({ ...rotatedEndpoint, previousSecretUntil: NOW + 1 });
      await store.insertEndpoint(anEndpoint({ id: "61" }));
      assert.equal(await store.clearReplacedSecrets(NOW, 10), 0);
      assert.deepEqual(await store.findKey("1", "20"), key);
    });

    it("clearing replaced webhook secrets keeps the version, so no other write becomes stale", async (store) => {
      await store.insertKey(rotatedKey, null);
      await store.insertEndpoint(rotatedEndpoint);
      await store.clearReplacedSecrets(NOW, 10);
      assert.equal(await store.replaceKey(anApiKey({ version: 2, name: "next" }), 1), "written");
      assert.equal(await store.replaceEndpoint(anEndpoint({ version: 2 }), 1), "written");
    });

    it("clears at most the limit of replaced webhook secrets of each kind, across businesses, each once", async (store) => {
      for (let n = 0; n < 5; n += 1) {
        const businessId = String(1 + (n % 2));
        await store.insertKey({ ...rotatedKey, businessId, id: String(20 + n), keyHash: `hash ${n}` }, null);
        await store.insertEndpoint({ ...rotatedEndpoint, businessId, id: String(60 + n) });
      }
      assert.equal(await store.clearReplacedSecrets(NOW, 2), 4);
      const counts = await allAtOnce(4, () => store.clearReplacedSecrets(NOW, 2));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        6,
      );
    });
  });
}
