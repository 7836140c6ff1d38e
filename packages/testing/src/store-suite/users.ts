import assert from "node:assert/strict";
import { aUser } from "../fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

export function userCases({ describe, it }: Suite): void {
  describe("users", () => {
    it("finds a user by id within the business", async (store) => {
      assert.equal(await store.insertUser(aUser()), "written");
      assert.deepEqual(await store.findUser("1", "30"), aUser());
      assert.equal(await store.findUser("2", "30"), null);
      assert.equal(await store.findUser("1", "31"), null);
    });

    it("finds a user by email in any business", async (store) => {
      await store.insertUser(aUser({ businessId: "2" }));
      assert.deepEqual(await store.findUserByEmail("ana@example.com"), aUser({ businessId: "2" }));
    });

    for (const email of ["Ana@example.com", "ana@example.co", "ana@example.com ", "%", ""]) {
      it(`finds no user by ${JSON.stringify(email)}, which is not quite the email's key`, async (store) => {
        await store.insertUser(aUser());
        assert.equal(await store.findUserByEmail(email), null);
      });
    }

    it("a user keeps the email as it was given beside its key", async (store) => {
      await store.insertUser(aUser({ email: "ÁNA@Example.COM", emailKey: "ána@example.com" }));
      assert.equal((await store.findUserByEmail("ána@example.com"))?.email, "ÁNA@Example.COM");
    });

    it("refuses a user whose email the business has (taken)", async (store) => {
      await store.insertUser(aUser());
      assert.equal(await store.insertUser(aUser({ id: "31", displayName: "Other" })), "taken");
      assert.equal(await store.findUser("1", "31"), null);
    });

    it("refuses a user whose email another business has (taken)", async (store) => {
      await store.insertUser(aUser());
      assert.equal(await store.insertUser(aUser({ businessId: "2", id: "31" })), "taken");
      assert.equal((await store.findUserByEmail("ana@example.com"))?.businessId, "1");
    });

    it("adds exactly one of 20 users with the same email, over several businesses", async (store) => {
      const outcomes = await allAtOnce(20, (index) =>
        store.insertUser(aUser({ businessId: String(1 + (index % 4)), id: String(100 + index) })),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal(countOf(outcomes, "taken"), 19);
      const winner = String(100 + outcomes.indexOf("written"));
      assert.equal((await store.findUserByEmail("ana@example.com"))?.id, winner);
    });

    it("adds all of 20 users with different emails", async (store) => {
      const outcomes = await allAtOnce(20, (index) =>
        store.insertUser(aUser({ id: String(100 + index), emailKey: `user${index}@example.com` })),
      );
      assert.equal(countOf(outcomes, "written"), 20);
    });

    it("hasUsers is true as soon as the first user was added, in any business", async (store) => {
      assert.equal(await store.hasUsers(), false);
      await store.insertUser(aUser({ businessId: "7" }));
      assert.equal(await store.hasUsers(), true);
    });
  });

  describe("replacing a password's hash", () => {
    it("replacing a password hash stores the new one for the expected one and changes nothing else", async (store) => {
      await store.insertUser(aUser());
      assert.equal(await store.replacePasswordHash("1", "30", "hash-of-password", "better-hash"), "written");
      assert.deepEqual(await store.findUser("1", "30"), aUser({ passwordHash: "better-hash", version: 2 }));
      assert.equal((await store.findUserByEmail("ana@example.com"))?.passwordHash, "better-hash");
    });

    it("refuses to replace a password hash when another one is stored (stale)", async (store) => {
      await store.insertUser(aUser());
      await store.replacePasswordHash("1", "30", "hash-of-password", "first");
      assert.equal(await store.replacePasswordHash("1", "30", "hash-of-password", "second"), "stale");
      assert.equal((await store.findUser("1", "30"))?.passwordHash, "first");
    });

    it("refuses to replace the password hash of an unknown user (stale)", async (store) => {
      assert.equal(await store.replacePasswordHash("1", "30", "hash-of-password", "next"), "stale");
    });

    it("refuses to replace the password hash of another business's user (stale)", async (store) => {
      await store.insertUser(aUser());
      assert.equal(await store.replacePasswordHash("2", "30", "hash-of-password", "next"), "stale");
      assert.equal((await store.findUser("1", "30"))?.passwordHash, "hash-of-password");
    });

    it("replaces a password hash for exactly one of 10 callers", async (store) => {
      await store.insertUser(aUser());
      const outcomes = await allAtOnce(10, (index) =>
        store.replacePasswordHash("1", "30", "hash-of-password", `hash-${index}`),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal((await store.findUser("1", "30"))?.passwordHash, `hash-${outcomes.indexOf("written")}`);
    });
  });
}
