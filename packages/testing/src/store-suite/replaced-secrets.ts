import assert from "node:assert/strict";
import { insertEndpointCommit, insertKeyCommit, replaceEndpointCommit, replaceKeyCommit } from "@budgetkit/core/store";
import { anApiKey, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { anEndpoint } from "../webhook-fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";

const rotatedKey = anApiKey({ previousSealedWebhookSecret: "v1.former", previousWebhookSecretUntil: NOW });
const rotatedEndpoint = anEndpoint({ previousSealedSecret: "v1.former", previousSecretUntil: NOW });

export function replacedSecretCases({ describe, it }: Suite): void {
  describe("clearing webhook secrets that were replaced", () => {
    it("forgets those whose grace is over, and leaves everything else as it was", async (store) => {
      await store.commit(insertKeyCommit({ ...rotatedKey, lastUsedAt: NOW + 3 }));
      await store.commit(insertEndpointCommit(rotatedEndpoint));
      assert.equal(await store.clearReplacedSecrets(NOW, 10), 2);
      assert.deepEqual(await store.findKey("1", "20"), anApiKey({ lastUsedAt: NOW + 3 }));
      assert.deepEqual(await store.findEndpoint("1", "60"), anEndpoint());
      assert.equal(await store.clearReplacedSecrets(NOW, 10), 0);
    });

    it("leaves those that sign for a while yet, and those that were never replaced", async (store) => {
      const key = { ...rotatedKey, previousWebhookSecretUntil: NOW + 1 };
      await store.commit(insertKeyCommit(key));
      await store.commit(insertEndpointCommit({ ...rotatedEndpoint, previousSecretUntil: NOW + 1 }));
      await store.commit(insertEndpointCommit(anEndpoint({ id: "61" })));
      assert.equal(await store.clearReplacedSecrets(NOW, 10), 0);
      assert.deepEqual(await store.findKey("1", "20"), key);
    });

    it("keeps the version, so no other write becomes stale", async (store) => {
      await store.commit(insertKeyCommit(rotatedKey));
      await store.commit(insertEndpointCommit(rotatedEndpoint));
      await store.clearReplacedSecrets(NOW, 10);
      assert.equal(await outcomeOf(store, replaceKeyCommit(anApiKey({ version: 2, name: "next" }), 1)), "written");
      assert.equal(await outcomeOf(store, replaceEndpointCommit(anEndpoint({ version: 2 }), 1)), "written");
    });

    it("clears no more than the limit of each kind, across businesses, each once", async (store) => {
      for (let n = 0; n < 5; n += 1) {
        const businessId = String(1 + (n % 2));
        await store.commit(insertKeyCommit({ ...rotatedKey, businessId, id: String(20 + n), keyHash: `hash ${n}` }));
        await store.commit(insertEndpointCommit({ ...rotatedEndpoint, businessId, id: String(60 + n) }));
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
