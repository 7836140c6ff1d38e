import assert from "node:assert/strict";
import type { AuditEntry, User } from "@budgetkit/core/store";
import { insertUserCommit, removeUserCommit, replaceUserCommit } from "@budgetkit/core/store";
import { beginSession } from "../begin-session.js";
import { anAuditEntry, anEventQuery, aUser, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import type { Suite } from "./suite.js";

function entryOf(overrides: Partial<AuditEntry> = {}): AuditEntry {
  return anAuditEntry({ type: "user.disabled", subjectId: "30", ...overrides });
}

function anotherOwner(overrides: Partial<User> = {}): User {
  return aUser({ id: "31", emailKey: "eve@example.com", ...overrides });
}

export function userChangeCases(suite: Suite): void {
  listCases(suite);
  replacementCases(suite);
  ownerCases(suite);
  removalCases(suite);
}

function listCases({ describe, it }: Suite): void {
  describe("a list of users", () => {
    it("lists the users of a business in the order of their ids, in pages", async (store) => {
      for (const id of ["1000", "9", "30"])
        await store.commit(insertUserCommit(aUser({ id, emailKey: `${id}@example.com` })));
      await store.commit(insertUserCommit(aUser({ businessId: "2", id: "31", emailKey: "other@example.com" })));
      const idsOf = async (limit: number, offset: number) => {
        const { entries, total } = await store.listUsers("1", limit, offset);
        return [entries.map(({ id }) => id), total];
      };
      assert.deepEqual(await idsOf(10, 0), [["9", "30", "1000"], 3]);
      assert.deepEqual(await idsOf(2, 1), [["30", "1000"], 3]);
      assert.deepEqual(await idsOf(2, 3), [[], 3]);
      assert.deepEqual((await store.listUsers("7", 10, 0)).total, 0);
    });
  });
}

function replacementCases({ describe, it }: Suite): void {
  describe("replacing a user", () => {
    it("replacing a user stores every field", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      await store.commit(insertUserCommit(anotherOwner()));
      const changed = aUser({
        version: 2,
        email: "Ana@Example.org",
        emailKey: "ana@example.org",
        displayName: "Ana María",
        role: "MEMBER",
        emailVerified: false,
        passwordHash: "next-hash",
        disabledAt: NOW + 1,
        oneTimeToken: { purpose: "password-reset", hash: "hash-of-token", expiresAt: NOW + 2 },
        secondFactor: { sealedSecret: "v1.sealed", confirmedAt: NOW, lastStep: 59_000_000, recoveryHashes: ["a", "b"] },
      });
      assert.equal(await outcomeOf(store, replaceUserCommit(changed, 1)), "written");
      assert.deepEqual(await store.findUser("1", "30"), changed);
      assert.deepEqual(await store.findUserByEmail("ana@example.org"), changed);
      assert.equal(await store.findUserByEmail("ana@example.com"), null);
    });

    it("replacing a user ends the user's live sessions, except the one that stays", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      for (const id of ["live-1", "live-2", "kept"]) await beginSession(store, { id });
      await beginSession(store, { id: "ended", endedAt: NOW - 1 });
      await beginSession(store, { id: "other", userId: "31" });
      await beginSession(store, { businessId: "2", id: "elsewhere" });
      const change = { audit: null, endSessions: { at: NOW, except: "kept" } };
      assert.equal(
        await outcomeOf(store, replaceUserCommit(aUser({ version: 2 }), 1, change.endSessions, change.audit)),
        "written",
      );
      const ends = ["live-1", "live-2", "kept", "ended", "other"].map(
        async (id) => (await store.findSession("1", id))?.endedAt,
      );
      assert.deepEqual(await Promise.all(ends), [NOW, NOW, null, NOW - 1, null]);
      assert.equal((await store.findSession("2", "elsewhere"))?.endedAt, null);
    });
  });
}

/** Changes after which a user is no active OWNER. */
const LEAVING: Readonly<Record<string, Partial<User>>> = {
  disabled: { disabledAt: NOW },
  demoted: { role: "ADMIN" },
  "left without a password": { passwordHash: "" },
};

function ownerCases({ describe, it }: Suite): void {
  describe("the last active OWNER", () => {
    for (const [name, change] of Object.entries(LEAVING)) {
      it(`the last active OWNER is not ${name}, also with other users (last-owner)`, async (store) => {
        await store.commit(insertUserCommit(aUser()));
        await store.commit(insertUserCommit(anotherOwner({ role: "ADMIN" })));
        await store.commit(insertUserCommit(anotherOwner({ id: "32", emailKey: "b@example.com", disabledAt: NOW })));
        await store.commit(insertUserCommit(anotherOwner({ id: "33", emailKey: "c@example.com", passwordHash: "" })));
        await store.commit(insertUserCommit(anotherOwner({ businessId: "2", id: "34", emailKey: "d@example.com" })));
        const changed = aUser({ version: 2, ...change });
        assert.equal(await outcomeOf(store, replaceUserCommit(changed, 1, null, entryOf())), "last-owner");
        assert.equal(await outcomeOf(store, removeUserCommit("30", 1, entryOf())), "last-owner");
        assert.deepEqual(await store.findUser("1", "30"), aUser());
        assert.equal((await store.listEvents("1", anEventQuery())).total, 0);
      });

      it(`an OWNER may be ${name} once there is another`, async (store) => {
        await store.commit(insertUserCommit(aUser()));
        await store.commit(insertUserCommit(anotherOwner()));
        assert.equal(await outcomeOf(store, replaceUserCommit(aUser({ version: 2, ...change }), 1)), "written");
      });
    }

    it("one OWNER stays when all leave concurrently (last-owner)", async (store) => {
      const ids = ["30", "31", "32", "33", "34", "35"];
      for (const id of ids) await store.commit(insertUserCommit(aUser({ id, emailKey: `${id}@example.com` })));
      const outcomes = await Promise.all(
        ids.map((id, index) =>
          index % 2 === 0
            ? outcomeOf(store, removeUserCommit(id, 1, entryOf({ subjectId: id })))
            : outcomeOf(
                store,
                replaceUserCommit(aUser({ id, emailKey: `${id}@example.com`, version: 2, disabledAt: NOW }), 1),
              ),
        ),
      );
      assert.equal(outcomes.filter((outcome) => outcome === "last-owner").length, 1);
    });

    it("the last active OWNER may change in other ways", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      const changed = aUser({ version: 2, displayName: "Ana María", passwordHash: "next" });
      assert.equal(await outcomeOf(store, replaceUserCommit(changed, 1)), "written");
    });
  });
}

function removalCases({ describe, it }: Suite): void {
  describe("removing a user", () => {
    it("removing a user ends their sessions, frees their email and leaves an audit entry", async (store) => {
      await store.commit(insertUserCommit(anotherOwner()));
      await store.commit(insertUserCommit(aUser()));
      await beginSession(store);
      assert.equal(await outcomeOf(store, removeUserCommit("30", 1, entryOf({ type: "user.removed" }))), "written");
      assert.equal(await store.findUser("1", "30"), null);
      assert.equal(await store.findUserByEmail("ana@example.com"), null);
      assert.equal((await store.findSession("1", "40"))?.endedAt, NOW);
      const { entries } = await store.listEvents("1", anEventQuery());
      assert.deepEqual(
        entries.map(({ type, subjectId }) => [type, subjectId]),
        [["user.removed", "30"]],
      );
      assert.equal(await outcomeOf(store, insertUserCommit(aUser({ id: "50" }))), "written");
    });
  });
}
