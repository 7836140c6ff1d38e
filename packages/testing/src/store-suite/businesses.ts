import assert from "node:assert/strict";
import { insertBusinessCommit, setTierCommit, TIERS } from "@budgetkit/core/store";
import { aBusiness } from "../fixtures.js";
import { isWritten, outcomeOf } from "../outcome.js";
import { allAtOnce, type Suite } from "./suite.js";

export function businessCases({ describe, it }: Suite): void {
  describe("businesses", () => {
    it("finds businesses by their id", async (store) => {
      await store.commit(insertBusinessCommit(aBusiness({ id: "1" })));
      await store.commit(insertBusinessCommit(aBusiness({ id: "2", name: "Other" })));
      assert.deepEqual(await store.findBusiness("2"), aBusiness({ id: "2", name: "Other" }));
    });

    it("finds no business by an unknown id", async (store) => {
      assert.equal(await store.findBusiness("1"), null);
    });

    it("lists businesses in the order of their ids, page after page", async (store) => {
      for (const id of ["10", "9", "1002"]) await store.commit(insertBusinessCommit(aBusiness({ id })));
      const pages = [await store.listBusinesses(null, 2), await store.listBusinesses("10", 2)];
      assert.deepEqual(pages, [[aBusiness({ id: "9" }), aBusiness({ id: "10" })], [aBusiness({ id: "1002" })]]);
      assert.deepEqual(await store.listBusinesses("1002", 2), []);
      assert.deepEqual(
        (await store.listBusinesses("11", 2)).map(({ id }) => id),
        ["1002"],
      );
    });

    for (const tier of TIERS) {
      it(`sets a business to ${tier}, and changes nothing else`, async (store) => {
        await store.commit(insertBusinessCommit(aBusiness({ tier: tier === "STANDARD" ? "PREMIUM" : "STANDARD" })));
        assert.equal(await isWritten(store, setTierCommit("1", tier)), true);
        assert.deepEqual(await store.findBusiness("1"), aBusiness({ tier }));
      });
    }

    it("setting the tier of one business keeps those of others", async (store) => {
      await store.commit(insertBusinessCommit(aBusiness({ id: "1" })));
      await store.commit(insertBusinessCommit(aBusiness({ id: "2" })));
      await store.commit(setTierCommit("2", "ENTERPRISE"));
      assert.equal((await store.findBusiness("1"))?.tier, "STANDARD");
    });

    it("adds many businesses concurrently", async (store) => {
      await allAtOnce(20, (index) => outcomeOf(store, insertBusinessCommit(aBusiness({ id: String(index + 1) }))));
      const found = await allAtOnce(20, (index) => store.findBusiness(String(index + 1)));
      assert.ok(found.every((business) => business !== null));
    });
  });
}
