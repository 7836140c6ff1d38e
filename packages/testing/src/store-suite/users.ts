import assert from "node:assert/strict";
import { insertUserCommit } from "@budgetkit/core/store";
import { aUser } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

const EMAIL_TAKEN = { taken: "email", value: "ana@example.com" } as const;

export function userCases({ describe, it }: Suite): void {
  describe("users", () => {
    it("finds a user by email in any business", async (store) => {
      await store.commit(insertUserCommit(aUser({ businessId: "2" })));
      assert.deepEqual(await store.findUserByEmail("ana@example.com"), aUser({ businessId: "2" }));
    });

    for (const email of ["Ana@example.com", "ana@example.co", "ana@example.com ", "%", ""]) {
      it(`finds no user by ${JSON.stringify(email)}, which is not quite the email's key`, async (store) => {
        await store.commit(insertUserCommit(aUser()));
        assert.equal(await store.findUserByEmail(email), null);
      });
    }

    it("a user keeps the email as it was given beside its key", async (store) => {
      await store.commit(insertUserCommit(aUser({ email: "ÁNA@Example.COM", emailKey: "ána@example.com" })));
      assert.equal((await store.findUserByEmail("ána@example.com"))?.email, "ÁNA@Example.COM");
    });

    it("adds exactly one of 20 users with the same email, over several businesses", async (store) => {
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, insertUserCommit(aUser({ businessId: String(1 + (index % 4)), id: String(100 + index) }))),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal(countOf(outcomes, EMAIL_TAKEN), 19);
      const winner = String(100 + outcomes.indexOf("written"));
      assert.equal((await store.findUserByEmail("ana@example.com"))?.id, winner);
    });

    it("adds all of 20 users with different emails", async (store) => {
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, insertUserCommit(aUser({ id: String(100 + index), emailKey: `user${index}@example.com` }))),
      );
      assert.equal(countOf(outcomes, "written"), 20);
    });

    it("hasUsers is true as soon as the first user was added, in any business", async (store) => {
      assert.equal(await store.hasUsers(), false);
      await store.commit(insertUserCommit(aUser({ businessId: "7" })));
      assert.equal(await store.hasUsers(), true);
    });
  });
}
