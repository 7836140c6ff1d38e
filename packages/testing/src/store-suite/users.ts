import assert from "node:assert/strict";
import { insertUserCommit, replaceHashCommit } from "@budgetkit/core/store";
import { aUser } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

const EMAIL_TAKEN = { taken: "email", value: "ana@example.com" } as const;

export function userCases({ describe, it }: Suite): void {
  describe("users", () => {
    it("are found by their id within their business", async (store) => {
      assert.equal(await outcomeOf(store, insertUserCommit(aUser())), "written");
      assert.deepEqual(await store.findUser("1", "30"), aUser());
      assert.equal(await store.findUser("2", "30"), null);
      assert.equal(await store.findUser("1", "31"), null);
    });

    it("are found by their email in any business", async (store) => {
      await store.commit(insertUserCommit(aUser({ businessId: "2" })));
      assert.deepEqual(await store.findUserByEmail("ana@example.com"), aUser({ businessId: "2" }));
    });

    for (const email of ["Ana@example.com", "ana@example.co", "ana@example.com ", "%", ""]) {
      it(`are not found by ${JSON.stringify(email)}, which is not quite the email's key`, async (store) => {
        await store.commit(insertUserCommit(aUser()));
        assert.equal(await store.findUserByEmail(email), null);
      });
    }

    it("keep the email as it was given beside its key", async (store) => {
      await store.commit(insertUserCommit(aUser({ email: "ÁNA@Example.COM", emailKey: "ána@example.com" })));
      assert.equal((await store.findUserByEmail("ána@example.com"))?.email, "ÁNA@Example.COM");
    });

    it("are taken when the business has the email", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      assert.deepEqual(
        await outcomeOf(store, insertUserCommit(aUser({ id: "31", displayName: "Other" }))),
        EMAIL_TAKEN,
      );
      assert.equal(await store.findUser("1", "31"), null);
    });

    it("are taken when another business has the email", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      assert.deepEqual(await outcomeOf(store, insertUserCommit(aUser({ businessId: "2", id: "31" }))), EMAIL_TAKEN);
      assert.equal((await store.findUserByEmail("ana@example.com"))?.businessId, "1");
    });

    it("let exactly one of 20 with the same email in, over several businesses", async (store) => {
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, insertUserCommit(aUser({ businessId: String(1 + (index % 4)), id: String(100 + index) }))),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal(countOf(outcomes, EMAIL_TAKEN), 19);
      const winner = String(100 + outcomes.indexOf("written"));
      assert.equal((await store.findUserByEmail("ana@example.com"))?.id, winner);
    });

    it("let all of 20 with different emails in", async (store) => {
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, insertUserCommit(aUser({ id: String(100 + index), emailKey: `user${index}@example.com` }))),
      );
      assert.equal(countOf(outcomes, "written"), 20);
    });

    it("exist as soon as the first was added, in any business", async (store) => {
      assert.equal(await store.hasUsers(), false);
      await store.commit(insertUserCommit(aUser({ businessId: "7" })));
      assert.equal(await store.hasUsers(), true);
    });
  });

  describe("replacing a password's hash", () => {
    it("puts the new one in the place of the one expected and changes nothing else", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      assert.equal(await outcomeOf(store, replaceHashCommit("1", "30", "hash-of-password", "better-hash")), "written");
      assert.deepEqual(await store.findUser("1", "30"), aUser({ passwordHash: "better-hash", version: 2 }));
      assert.equal((await store.findUserByEmail("ana@example.com"))?.passwordHash, "better-hash");
    });

    it("is stale when another one is stored by now", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      await store.commit(replaceHashCommit("1", "30", "hash-of-password", "first"));
      assert.equal(await outcomeOf(store, replaceHashCommit("1", "30", "hash-of-password", "second")), "stale");
      assert.equal((await store.findUser("1", "30"))?.passwordHash, "first");
    });

    it("is stale for a user who is not there", async (store) => {
      assert.equal(await outcomeOf(store, replaceHashCommit("1", "30", "hash-of-password", "next")), "stale");
    });

    it("is stale for another business's user", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      assert.equal(await outcomeOf(store, replaceHashCommit("2", "30", "hash-of-password", "next")), "stale");
      assert.equal((await store.findUser("1", "30"))?.passwordHash, "hash-of-password");
    });

    it("lets exactly one of 10 callers win", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      const outcomes = await allAtOnce(10, (index) =>
        outcomeOf(store, replaceHashCommit("1", "30", "hash-of-password", `hash-${index}`)),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal((await store.findUser("1", "30"))?.passwordHash, `hash-${outcomes.indexOf("written")}`);
    });
  });
}
