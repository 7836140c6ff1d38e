import assert from "node:assert/strict";
import type { AuditEntry, User } from "@budgetkit/core/store";
import { insertUserCommit, removeUserCommit, replaceHashCommit, replaceUserCommit } from "@budgetkit/core/store";
import { beginSession } from "../begin-session.js";
import { anAuditEntry, anEventQuery, aUser, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

const EMAIL_TAKEN = { taken: "email", value: "ana@example.com" };

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
    it("has the users of the business in order of their ids, a page at a time", async (store) => {
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

function replacementCases({ describe, it, itDurably }: Suite): void {
  describe("replacing a user", () => {
    it("stores every field", async (store) => {
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

    it("lets exactly one of 10 callers with the same version win", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      const outcomes = await allAtOnce(10, (index) =>
        outcomeOf(store, replaceUserCommit(aUser({ version: 2, displayName: `${index}` }), 1, null, entryOf())),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal((await store.findUser("1", "30"))?.displayName, `${outcomes.indexOf("written")}`);
      assert.equal((await store.listEvents("1", anEventQuery())).total, 1);
    });

    it("is stale after a renewed password hash, for an unknown user and for another business's", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      await store.commit(replaceHashCommit("1", "30", "hash-of-password", "renewed"));
      for (const user of [aUser(), aUser({ id: "31" }), aUser({ businessId: "2" }), aUser({ id: "ana" })]) {
        assert.equal(await outcomeOf(store, replaceUserCommit({ ...user, version: 2 }, 1)), "stale");
      }
      assert.equal((await store.findUser("1", "30"))?.passwordHash, "renewed");
    });

    it("is refused an email that a user of any business has, and writes nothing", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      await store.commit(insertUserCommit(anotherOwner({ businessId: "2" })));
      const changed = aUser({ version: 2, emailKey: "eve@example.com" });
      const change = { audit: entryOf(), endSessions: { at: NOW, except: null } };
      assert.deepEqual(await outcomeOf(store, replaceUserCommit(changed, 1, change.endSessions, change.audit)), {
        taken: "email",
        value: "eve@example.com",
      });
      assert.deepEqual(await store.findUser("1", "30"), aUser());
      assert.equal((await store.listEvents("1", anEventQuery())).total, 0);
    });

    it("ends the live sessions of the user alone, except the one that stays", async (store) => {
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

    it("commits its audit entry with it, and a new user with theirs", async (store) => {
      await subscribe(store, "1");
      await store.commit(insertUserCommit(aUser(), entryOf({ id: "95", type: "user.created" })));
      assert.deepEqual(
        await outcomeOf(store, insertUserCommit(aUser({ id: "31" }), entryOf({ id: "96" }))),
        EMAIL_TAKEN,
      );
      await store.commit(replaceUserCommit(aUser({ version: 2 }), 1, null, entryOf({ id: "97" })));
      assert.equal(await outcomeOf(store, replaceUserCommit(aUser({ version: 2 }), 1, null, entryOf())), "stale");
      const { entries } = await store.listEvents("1", anEventQuery());
      assert.deepEqual(
        entries.map(({ sequence, revision, ...entry }) => entry),
        [entryOf({ id: "97" }), entryOf({ id: "95", type: "user.created" })],
      );
      assert.deepEqual(await store.findUndispatchedEvents(10), []);
    });

    itDurably("is kept once it was acknowledged, with its audit entry", async (store, reopen) => {
      await store.commit(insertUserCommit(aUser()));
      await store.commit(insertUserCommit(anotherOwner()));
      const disabled = aUser({ version: 2, disabledAt: NOW });
      await store.commit(replaceUserCommit(disabled, 1, null, entryOf()));
      const again = await reopen();
      assert.deepEqual(await again.findUser("1", "30"), disabled);
      assert.equal((await again.listEvents("1", anEventQuery())).total, 1);
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
      it(`is not ${name}, also with other users beside it`, async (store) => {
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

      it(`may be ${name} once there is another`, async (store) => {
        await store.commit(insertUserCommit(aUser()));
        await store.commit(insertUserCommit(anotherOwner()));
        assert.equal(await outcomeOf(store, replaceUserCommit(aUser({ version: 2, ...change }), 1)), "written");
      });
    }

    it("stays when all owners leave at the same time", async (store) => {
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

    it("may change in other ways", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      const changed = aUser({ version: 2, displayName: "Ana María", passwordHash: "next" });
      assert.equal(await outcomeOf(store, replaceUserCommit(changed, 1)), "written");
    });
  });
}

function removalCases({ describe, it }: Suite): void {
  describe("removing a user", () => {
    it("ends their sessions, frees their email and leaves an audit entry", async (store) => {
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

    it("is stale for another version, an unknown user and another business's", async (store) => {
      await store.commit(insertUserCommit(anotherOwner()));
      await store.commit(insertUserCommit(aUser()));
      assert.equal(await outcomeOf(store, removeUserCommit("30", 2, entryOf())), "stale");
      assert.equal(await outcomeOf(store, removeUserCommit("32", 1, entryOf())), "stale");
      assert.equal(await outcomeOf(store, removeUserCommit("30", 1, entryOf({ businessId: "2" }))), "stale");
      assert.deepEqual(await store.findUser("1", "30"), aUser());
    });
  });
}
