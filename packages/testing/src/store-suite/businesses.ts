import assert from "node:assert/strict";
import {
  EMPTY_PROFILE,
  insertBusinessCommit,
  replaceBusinessCommit,
  setTierCommit,
  TIERS,
} from "@budgetkit/core/store";
import { aBusiness } from "../fixtures.js";
import { isWritten, outcomeOf } from "../outcome.js";
import { allAtOnce, type Suite } from "./suite.js";

export function businessCases({ describe, it }: Suite): void {
  describe("businesses", () => {
    it("are found by their id", async (store) => {
      await store.commit(insertBusinessCommit(aBusiness({ id: "1" })));
      await store.commit(insertBusinessCommit(aBusiness({ id: "2", name: "Other" })));
      assert.deepEqual(await store.findBusiness("2"), aBusiness({ id: "2", name: "Other" }));
    });

    it("are null when the id is unknown", async (store) => {
      assert.equal(await store.findBusiness("1"), null);
    });

    it("are listed in the order of their ids, a page behind the other", async (store) => {
      for (const id of ["10", "9", "1002"]) await store.commit(insertBusinessCommit(aBusiness({ id })));
      const pages = [await store.listBusinesses(null, 2), await store.listBusinesses("10", 2)];
      assert.deepEqual(pages, [[aBusiness({ id: "9" }), aBusiness({ id: "10" })], [aBusiness({ id: "1002" })]]);
      assert.deepEqual(await store.listBusinesses("1002", 2), []);
      assert.deepEqual(
        (await store.listBusinesses("11", 2)).map(({ id }) => id),
        ["1002"],
      );
    });

    it("are added once: the same id again is rejected", async (store) => {
      await store.commit(insertBusinessCommit(aBusiness()));
      await assert.rejects(outcomeOf(store, insertBusinessCommit(aBusiness({ name: "Impostor" }))));
      assert.equal((await store.findBusiness("1"))?.name, aBusiness().name);
    });

    for (const tier of TIERS) {
      it(`can be set to ${tier}, which changes nothing else`, async (store) => {
        await store.commit(insertBusinessCommit(aBusiness({ tier: tier === "STANDARD" ? "PREMIUM" : "STANDARD" })));
        assert.equal(await isWritten(store, setTierCommit("1", tier)), true);
        assert.deepEqual(await store.findBusiness("1"), aBusiness({ tier }));
      });
    }

    it("may be set to the tier that they have", async (store) => {
      await store.commit(insertBusinessCommit(aBusiness()));
      assert.equal(await isWritten(store, setTierCommit("1", "STANDARD")), true);
    });

    it("keep their tier when another's is set", async (store) => {
      await store.commit(insertBusinessCommit(aBusiness({ id: "1" })));
      await store.commit(insertBusinessCommit(aBusiness({ id: "2" })));
      await store.commit(setTierCommit("2", "ENTERPRISE"));
      assert.equal((await store.findBusiness("1"))?.tier, "STANDARD");
    });

    it("give false for a tier when there is no such business, and are not added by it", async (store) => {
      assert.equal(await isWritten(store, setTierCommit("1", "PREMIUM")), false);
      assert.equal(await store.findBusiness("1"), null);
    });

    it("are replaced when the version is the stored one; the tier stays", async (store) => {
      await store.commit(insertBusinessCommit(aBusiness({ tier: "PREMIUM" })));
      const profile = { ...EMPTY_PROFILE, legalName: "Norte S.R.L.", accentColor: "#0b6e4f" };
      const next = aBusiness({ name: "Norte", timeZone: "America/Lima", profile, version: 2, tier: "STANDARD" });
      assert.equal(await outcomeOf(store, replaceBusinessCommit(next, 1)), "written");
      assert.deepEqual(await store.findBusiness("1"), { ...next, tier: "PREMIUM" });
    });

    it("stay as they are when the version is another, or the business unknown", async (store) => {
      await store.commit(insertBusinessCommit(aBusiness({ version: 3 })));
      assert.equal(await outcomeOf(store, replaceBusinessCommit(aBusiness({ name: "Late", version: 3 }), 2)), "stale");
      assert.equal(await outcomeOf(store, replaceBusinessCommit(aBusiness({ id: "9", version: 2 }), 1)), "stale");
      assert.deepEqual(await store.findBusiness("1"), aBusiness({ version: 3 }));
      assert.equal(await store.findBusiness("9"), null);
    });

    it("are replaced by one of several callers that read the same version", async (store) => {
      await store.commit(insertBusinessCommit(aBusiness()));
      const outcomes = await allAtOnce(8, (index) =>
        outcomeOf(store, replaceBusinessCommit(aBusiness({ name: `Name ${index}`, version: 2 }), 1)),
      );
      assert.equal(outcomes.filter((outcome) => outcome === "written").length, 1);
      assert.equal((await store.findBusiness("1"))?.name, `Name ${outcomes.indexOf("written")}`);
    });

    it("may be added many at once", async (store) => {
      await allAtOnce(20, (index) => outcomeOf(store, insertBusinessCommit(aBusiness({ id: String(index + 1) }))));
      const found = await allAtOnce(20, (index) => store.findBusiness(String(index + 1)));
      assert.ok(found.every((business) => business !== null));
    });
  });
}
