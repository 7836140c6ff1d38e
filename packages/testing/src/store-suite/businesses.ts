import assert from "node:assert/strict";
import { EMPTY_PROFILE, TIERS } from "@budgetkit/core/store";
import { aBusiness } from "../fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";

export function businessCases({ describe, it }: Suite): void {
  describe("businesses", () => {
    it("finds businesses by their id", async (store) => {
      await store.insertBusiness(aBusiness({ id: "1" }));
      await store.insertBusiness(aBusiness({ id: "2", name: "Other" }));
      assert.deepEqual(await store.findBusiness("2"), aBusiness({ id: "2", name: "Other" }));
    });

    it("finds no business by an unknown id", async (store) => {
      assert.equal(await store.findBusiness("1"), null);
    });

    it("lists businesses in the order of their ids, page after page", async (store) => {
      for (const id of ["10", "9", "1002"]) await store.insertBusiness(aBusiness({ id }));
      const pages = [await store.listBusinesses(null, 2), await store.listBusinesses("10", 2)];
      assert.deepEqual(pages, [[aBusiness({ id: "9" }), aBusiness({ id: "10" })], [aBusiness({ id: "1002" })]]);
      assert.deepEqual(await store.listBusinesses("1002", 2), []);
      assert.deepEqual(
        (await store.listBusinesses("11", 2)).map(({ id }) => id),
        ["1002"],
      );
    });

    it("rejects a business whose id is taken", async (store) => {
      await store.insertBusiness(aBusiness());
      await assert.rejects(store.insertBusiness(aBusiness({ name: "Impostor" })));
      assert.equal((await store.findBusiness("1"))?.name, aBusiness().name);
    });

    for (const tier of TIERS) {
      it(`sets a business to ${tier}, and changes nothing else`, async (store) => {
        await store.insertBusiness(aBusiness({ tier: tier === "STANDARD" ? "PREMIUM" : "STANDARD" }));
        assert.equal(await store.setBusinessTier("1", tier), true);
        assert.deepEqual(await store.findBusiness("1"), aBusiness({ tier }));
      });
    }

    it("accepts the tier that a business has already", async (store) => {
      await store.insertBusiness(aBusiness());
      assert.equal(await store.setBusinessTier("1", "STANDARD"), true);
    });

    it("setting the tier of one business keeps those of others", async (store) => {
      await store.insertBusiness(aBusiness({ id: "1" }));
      await store.insertBusiness(aBusiness({ id: "2" }));
      await store.setBusinessTier("2", "ENTERPRISE");
      assert.equal((await store.findBusiness("1"))?.tier, "STANDARD");
    });

    it("sets no tier for an unknown business, and adds none", async (store) => {
      assert.equal(await store.setBusinessTier("1", "PREMIUM"), false);
      assert.equal(await store.findBusiness("1"), null);
    });

    it("replaces a business at the stored version; the tier stays", async (store) => {
      await store.insertBusiness(aBusiness({ tier: "PREMIUM" }));
      const profile = { ...EMPTY_PROFILE, legalName: "Norte S.R.L.", accentColor: "#0b6e4f" };
      const next = aBusiness({ name: "Norte", timeZone: "America/Lima", profile, version: 2, tier: "STANDARD" });
      assert.equal(await store.replaceBusiness(next, 1), "written");
      assert.deepEqual(await store.findBusiness("1"), { ...next, tier: "PREMIUM" });
    });

    it("replaces no business at another version, and no unknown one (stale)", async (store) => {
      await store.insertBusiness(aBusiness({ version: 3 }));
      assert.equal(await store.replaceBusiness(aBusiness({ name: "Late", version: 3 }), 2), "stale");
      assert.equal(await store.replaceBusiness(aBusiness({ id: "9", version: 2 }), 1), "stale");
      assert.deepEqual(await store.findBusiness("1"), aBusiness({ version: 3 }));
      assert.equal(await store.findBusiness("9"), null);
    });

    it("replaces a business for one of several callers that read the same version", async (store) => {
      await store.insertBusiness(aBusiness());
      const outcomes = await allAtOnce(8, (index) =>
        store.replaceBusiness(aBusiness({ name: `Name ${index}`, version: 2 }), 1),
      );
      assert.equal(outcomes.filter((outcome) => outcome === "written").length, 1);
      assert.equal((await store.findBusiness("1"))?.name, `Name ${outcomes.indexOf("written")}`);
    });

    it("adds many businesses concurrently", async (store) => {
      await allAtOnce(20, (index) => store.insertBusiness(aBusiness({ id: String(index + 1) })));
      const found = await allAtOnce(20, (index) => store.findBusiness(String(index + 1)));
      assert.ok(found.every((business) => business !== null));
    });
  });
}
