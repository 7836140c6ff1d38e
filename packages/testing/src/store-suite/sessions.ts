import assert from "node:assert/strict";
import {
  DAY_MS,
  endSessionCommit,
  insertUserCommit,
  openSessionCommit,
  type RefreshRotation,
  refreshSessionCommit,
  replaceHashCommit,
  replaceUserCommit,
  type SessionsEnd,
  type Store,
} from "@budgetkit/core/store";
import { beginSession } from "../begin-session.js";
import { aSession, aUser, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, type Suite } from "./suite.js";

const ROTATED_UNTIL = NOW + 31 * DAY_MS;

function aRotation(overrides: Partial<RefreshRotation> = {}): RefreshRotation {
  return {
    businessId: "1",
    sessionId: "40",
    expectedHash: "hash-of-refresh-1",
    newHash: "hash-of-refresh-2",
    newExpiresAt: ROTATED_UNTIL,
    ...overrides,
  };
}

function endOfSessions(at: number): SessionsEnd {
  return { at, except: null };
}

export function sessionCases(suite: Suite): void {
  beginCases(suite);
  rotationCases(suite);
  endCases(suite);
  pruneCases(suite);
  countCases(suite);
}

function countCases({ describe, it }: Suite): void {
  describe("counting live sessions", () => {
    it("counts the live sessions of the given users of a business, without ended and expired ones", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      await store.commit(insertUserCommit(aUser({ id: "31", emailKey: "eve@example.com" })));
      await store.commit(insertUserCommit(aUser({ id: "30", businessId: "2", emailKey: "eva@example.com" })));
      const open = (overrides: Parameters<typeof aSession>[0]) =>
        store.commit(openSessionCommit(aSession(overrides), "hash-of-password"));
      for (const id of ["40", "41", "42"]) await open({ id });
      await open({ id: "43", refreshExpiresAt: NOW + 5 });
      await open({ id: "44", userId: "31" });
      await open({ id: "45", businessId: "2" });
      await store.commit(endSessionCommit("1", "42", NOW + 1));
      const count = async (ids: readonly string[], at: number) => [
        ...(await store.countLiveSessions("1", ids, at)).entries(),
      ];
      assert.deepEqual(await count(["30", "32", "\0", "x"], NOW + 4), [["30", 3]]);
      assert.deepEqual(await count(["30"], NOW + 5), [["30", 2]]);
      assert.deepEqual((await count(["31", "30"], NOW + 5)).sort(), [
        ["30", 2],
        ["31", 1],
      ]);
      assert.deepEqual(await count([], NOW), []);
    });
  });

  describe("the last login of a user", () => {
    it("a session that is opened is the user's last login, and changes no version", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      assert.equal((await store.findUser("1", "30"))?.lastLoginAt, null);
      const open = (id: string, createdAt: number, hash = "hash-of-password") =>
        outcomeOf(store, openSessionCommit(aSession({ id, createdAt }), hash));
      assert.equal(await open("40", NOW + 7), "written");
      assert.equal(await open("41", NOW + 3), "written"); // by a process whose clock is behind
      assert.equal(await open("42", NOW + 9, "another-hash"), "stale");
      const { lastLoginAt, version } = (await store.findUser("1", "30")) ?? {};
      assert.deepEqual([lastLoginAt, version], [NOW + 7, 1]);
    });

    it("a change of a user leaves the last login that is stored", async (store) => {
      await store.commit(insertUserCommit(aUser({ lastLoginAt: NOW })));
      assert.equal((await store.findUser("1", "30"))?.lastLoginAt, NOW);
      await beginSession(store, aSession({ createdAt: NOW + 8 }));
      await store.commit(replaceUserCommit(aUser({ version: 2, lastLoginAt: null, displayName: "Eva" }), 1));
      const { lastLoginAt, displayName } = (await store.findUser("1", "30")) ?? {};
      assert.deepEqual([lastLoginAt, displayName], [NOW + 8, "Eva"]);
    });
  });
}

function beginCases({ describe, it }: Suite): void {
  describe("beginning a session", () => {
    it("beginning a session checks the hash that is stored now, not a former one", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ id: "40" }), "hash-of-password")), "written");
      await store.commit(replaceHashCommit("1", "30", "hash-of-password", "better-hash"));
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ id: "41" }), "hash-of-password")), "stale");
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ id: "41" }), "better-hash")), "written");
      await store.commit(replaceHashCommit("1", "30", "better-hash", "new-hash"));
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ id: "42" }), "better-hash")), "stale");
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ id: "42" }), "new-hash")), "written");
    });

    it("begins no session for a disabled user (stale), and one again once enabled", async (store) => {
      await store.commit(insertUserCommit(aUser({ disabledAt: NOW })));
      assert.equal(await outcomeOf(store, openSessionCommit(aSession(), "hash-of-password")), "stale");
      await store.commit(replaceUserCommit(aUser({ version: 2 }), 1));
      assert.equal(await outcomeOf(store, openSessionCommit(aSession(), "hash-of-password")), "written");
    });

    it("beginning a session checks the hash of its own user", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      await store.commit(
        insertUserCommit(aUser({ id: "31", emailKey: "eve@example.com", passwordHash: "hash-of-eve" })),
      );
      assert.equal(await outcomeOf(store, openSessionCommit(aSession(), "hash-of-eve")), "stale");
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ userId: "31" }), "hash-of-eve")), "written");
    });

    it("a session begun beside a password reset is ended by it, or stale", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      const begin = (index: number) =>
        outcomeOf(store, openSessionCommit(aSession({ id: `${index}` }), "hash-of-password"));
      const [before, replaced, after] = await Promise.all([
        allAtOnce(10, begin),
        outcomeOf(store, replaceUserCommit(aUser({ version: 2, passwordHash: "new-hash" }), 1, endOfSessions(NOW + 5))),
        allAtOnce(10, (index) => begin(10 + index)),
      ]);
      const outcomes = [...before, ...after];
      assert.equal(replaced, "written");
      for (const [index, outcome] of outcomes.entries()) {
        const endedAt = (await store.findSession("1", `${index}`))?.endedAt;
        assert.equal(endedAt, outcome === "written" ? NOW + 5 : undefined);
      }
    });
  });
}

function rotationCases({ describe, it }: Suite): void {
  describe("rotating a refresh token", () => {
    it("rotates a refresh token repeatedly", async (store) => {
      await beginSession(store);
      await store.commit(refreshSessionCommit(aRotation(), NOW));
      const next = aRotation({ expectedHash: "hash-of-refresh-2", newHash: "hash-of-refresh-3" });
      assert.equal(await outcomeOf(store, refreshSessionCommit(next, NOW)), "written");
    });

    it("rotates a refresh token that is about to expire", async (store) => {
      await beginSession(store, { refreshExpiresAt: NOW + 1 });
      assert.equal(await outcomeOf(store, refreshSessionCommit(aRotation(), NOW)), "written");
    });

    it("a session that a concurrent password reset ends stays ended", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      await beginSession(store);
      const rotateFrom = (index: number) =>
        outcomeOf(
          store,
          refreshSessionCommit(
            aRotation({ expectedHash: `hash-of-refresh-${index}`, newHash: `hash-of-refresh-${index + 1}` }),
            NOW,
          ),
        );
      await Promise.all([
        rotateFrom(1),
        rotateFrom(2),
        outcomeOf(store, replaceUserCommit(aUser({ version: 2 }), 1, endOfSessions(NOW + 5))),
        rotateFrom(3),
      ]);
      assert.equal((await store.findSession("1", "40"))?.endedAt, NOW + 5);
      const last = (await store.findSession("1", "40"))?.refreshHash;
      assert.equal(
        await outcomeOf(store, refreshSessionCommit(aRotation({ expectedHash: last ?? "", newHash: "next" }), NOW)),
        "stale",
      );
    });

    it("rotating a refresh token touches no other session", async (store) => {
      await beginSession(store, { id: "40" });
      await beginSession(store, { id: "41" });
      await store.commit(refreshSessionCommit(aRotation(), NOW));
      assert.deepEqual(await store.findSession("1", "41"), aSession({ id: "41" }));
    });
  });
}

function endCases({ describe, it }: Suite): void {
  describe("ending a session", () => {
    it("ending a session leaves the user's other sessions live", async (store) => {
      await beginSession(store, { id: "40" });
      await beginSession(store, { id: "41" });
      await store.commit(endSessionCommit("1", "40", NOW));
      assert.equal((await store.findSession("1", "41"))?.endedAt, null);
    });

    it("ending a session stops its refresh token", async (store) => {
      await beginSession(store);
      await store.commit(endSessionCommit("1", "40", NOW));
      assert.equal(await outcomeOf(store, refreshSessionCommit(aRotation(), NOW)), "stale");
    });
  });
}

function pruneCases({ describe, it }: Suite): void {
  const sessions = {
    "ended before the moment": [aSession({ endedAt: NOW - 1 }), true],
    "ended at the moment": [aSession({ endedAt: NOW }), false],
    "expired before the moment": [aSession({ refreshExpiresAt: NOW - 1 }), true],
    "expired at the moment": [aSession({ refreshExpiresAt: NOW }), false],
    "expired before the moment and ended later": [aSession({ refreshExpiresAt: NOW - 1, endedAt: NOW + 1 }), true],
    live: [aSession({ createdAt: NOW - 400 * DAY_MS }), false],
  } as const;

  describe("pruning sessions", () => {
    for (const [name, [session, isForgotten]] of Object.entries(sessions)) {
      it(`${isForgotten ? "prunes" : "keeps"} a session that is ${name}`, async (store) => {
        await beginSession(store, session);
        assert.equal(await store.pruneSessions(NOW, 10), isForgotten ? 1 : 0);
        assert.deepEqual(await store.findSession("1", "40"), isForgotten ? null : session);
      });
    }

    it("prunes sessions of every business, and at most as many at a time as requested", async (store) => {
      for (const businessId of ["1", "2", "10"]) {
        for (let id = 36; id < 46; id += 1) {
          const endedAt = id % 2 === 0 ? NOW - 1 : null;
          await beginSession(store, { businessId, id: String(id), endedAt });
        }
      }
      assert.equal(await pruneAll(store), 15);
      for (const businessId of ["1", "2", "10"]) {
        for (let id = 36; id < 46; id += 1) {
          assert.equal((await store.findSession(businessId, String(id))) === null, id % 2 === 0, `${businessId}/${id}`);
        }
      }
    });

    it("prunes sessions that end after an earlier round", async (store) => {
      for (const id of ["40", "41", "42"]) await beginSession(store, { id });
      assert.equal(await pruneAll(store), 0);
      await store.commit(endSessionCommit("1", "40", NOW - 1));
      assert.equal(await pruneAll(store), 1);
    });

    it("prunes nothing when there is no session", async (store) => {
      assert.equal(await store.pruneSessions(NOW, 10), 0);
    });
  });
}

/** More calls than it takes to look through a few dozen sessions, four at a time. */
async function pruneAll(store: Store): Promise<number> {
  let forgotten = 0;
  for (let call = 0; call < 20; call += 1) {
    const count = await store.pruneSessions(NOW, 4);
    assert.ok(count <= 4, `${count} at a time`);
    forgotten += count;
  }
  return forgotten;
}
