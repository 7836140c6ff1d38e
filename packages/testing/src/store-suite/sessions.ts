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
  type Session,
  type SessionsEnd,
  type Store,
} from "@budgetkit/core/store";
import { beginSession } from "../begin-session.js";
import { aSession, aUser, FIXTURE_TIME as NOW } from "../fixtures.js";
import { isWritten, outcomeOf } from "../outcome.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

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
}

function beginCases({ describe, it }: Suite): void {
  describe("beginning a session", () => {
    const refusals: Readonly<Record<string, readonly [session: Session, passwordHash: string]>> = {
      "on a hash that is not the user's": [aSession(), "other-hash"],
      "on no hash": [aSession(), ""],
      "of a user who is not there": [aSession({ userId: "31" }), "hash-of-password"],
      "of another business's user": [aSession({ businessId: "2" }), "hash-of-password"],
      "of a user whose id cannot be one": [aSession({ userId: "ana" }), "hash-of-password"],
    };
    for (const [name, [session, passwordHash]] of Object.entries(refusals)) {
      it(`is stale ${name}, and writes nothing`, async (store) => {
        await store.commit(insertUserCommit(aUser()));
        assert.equal(await outcomeOf(store, openSessionCommit(session, passwordHash)), "stale");
        assert.equal(await store.findSession(session.businessId, session.id), null);
      });
    }

    it("asks for the hash that is stored now, not for one that was", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ id: "40" }), "hash-of-password")), "written");
      await store.commit(replaceHashCommit("1", "30", "hash-of-password", "better-hash"));
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ id: "41" }), "hash-of-password")), "stale");
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ id: "41" }), "better-hash")), "written");
      await store.commit(replaceHashCommit("1", "30", "better-hash", "new-hash"));
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ id: "42" }), "better-hash")), "stale");
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ id: "42" }), "new-hash")), "written");
    });

    it("is stale for a disabled user, and works again once the user is enabled", async (store) => {
      await store.commit(insertUserCommit(aUser({ disabledAt: NOW })));
      assert.equal(await outcomeOf(store, openSessionCommit(aSession(), "hash-of-password")), "stale");
      await store.commit(replaceUserCommit(aUser({ version: 2 }), 1));
      assert.equal(await outcomeOf(store, openSessionCommit(aSession(), "hash-of-password")), "written");
    });

    it("goes by the hash of its own user", async (store) => {
      await store.commit(insertUserCommit(aUser()));
      await store.commit(
        insertUserCommit(aUser({ id: "31", emailKey: "eve@example.com", passwordHash: "hash-of-eve" })),
      );
      assert.equal(await outcomeOf(store, openSessionCommit(aSession(), "hash-of-eve")), "stale");
      assert.equal(await outcomeOf(store, openSessionCommit(aSession({ userId: "31" }), "hash-of-eve")), "written");
    });

    it("rejects an id that is taken, and leaves the session that has it", async (store) => {
      await beginSession(store);
      await assert.rejects(outcomeOf(store, openSessionCommit(aSession({ refreshHash: "other" }), "hash-of-password")));
      assert.deepEqual(await store.findSession("1", "40"), aSession());
    });

    it("is over before a reset that comes at the same time, which ends it, or is stale", async (store) => {
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
    it("stores the new token and its expiry and changes nothing else", async (store) => {
      await beginSession(store);
      assert.equal(await outcomeOf(store, refreshSessionCommit(aRotation(), NOW)), "written");
      const expected = aSession({ refreshHash: "hash-of-refresh-2", refreshExpiresAt: ROTATED_UNTIL });
      assert.deepEqual(await store.findSession("1", "40"), expected);
    });

    it("continues from one token to the next", async (store) => {
      await beginSession(store);
      await store.commit(refreshSessionCommit(aRotation(), NOW));
      const next = aRotation({ expectedHash: "hash-of-refresh-2", newHash: "hash-of-refresh-3" });
      assert.equal(await outcomeOf(store, refreshSessionCommit(next, NOW)), "written");
    });

    it("refuses a token that was used before", async (store) => {
      await beginSession(store);
      await store.commit(refreshSessionCommit(aRotation(), NOW));
      assert.equal(await outcomeOf(store, refreshSessionCommit(aRotation({ newHash: "stolen" }), NOW)), "stale");
      assert.equal((await store.findSession("1", "40"))?.refreshHash, "hash-of-refresh-2");
    });

    it("lets exactly one of 20 holders of the same token win", async (store) => {
      await beginSession(store);
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, refreshSessionCommit(aRotation({ newHash: `hash-${index}` }), NOW)),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal((await store.findSession("1", "40"))?.refreshHash, `hash-${outcomes.indexOf("written")}`);
    });

    it("takes a token that is about to expire", async (store) => {
      await beginSession(store, { refreshExpiresAt: NOW + 1 });
      assert.equal(await outcomeOf(store, refreshSessionCommit(aRotation(), NOW)), "written");
    });

    const refusals = [
      { name: "a token that has expired", session: aSession({ refreshExpiresAt: NOW - 1 }), rotation: aRotation() },
      { name: "a token of an ended session", session: aSession({ endedAt: NOW - 1 }), rotation: aRotation() },
      { name: "a token that is not the live one", session: aSession(), rotation: aRotation({ expectedHash: "other" }) },
      { name: "an unknown session", session: aSession(), rotation: aRotation({ sessionId: "41" }) },
      { name: "another business's session", session: aSession(), rotation: aRotation({ businessId: "2" }) },
    ];
    for (const { name, session, rotation } of refusals) {
      it(`refuses ${name} and writes nothing`, async (store) => {
        await beginSession(store, session);
        assert.equal(await outcomeOf(store, refreshSessionCommit(rotation, NOW)), "stale");
        assert.deepEqual(await store.findSession("1", "40"), session);
      });
    }

    it("leaves a session ended that a reset of the password ends at the same time", async (store) => {
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

    it("touches no other session", async (store) => {
      await beginSession(store, { id: "40" });
      await beginSession(store, { id: "41" });
      await store.commit(refreshSessionCommit(aRotation(), NOW));
      assert.deepEqual(await store.findSession("1", "41"), aSession({ id: "41" }));
    });
  });
}

function endCases({ describe, it }: Suite): void {
  describe("ending a session", () => {
    it("records when it ended", async (store) => {
      await beginSession(store);
      assert.equal(await isWritten(store, endSessionCommit("1", "40", NOW + 5)), true);
      assert.deepEqual(await store.findSession("1", "40"), aSession({ endedAt: NOW + 5 }));
    });

    it("gives false the second time and keeps the first moment", async (store) => {
      await beginSession(store);
      await store.commit(endSessionCommit("1", "40", NOW + 5));
      assert.equal(await isWritten(store, endSessionCommit("1", "40", NOW + 6)), false);
      assert.equal((await store.findSession("1", "40"))?.endedAt, NOW + 5);
    });

    it("gives true to exactly one of 10 callers", async (store) => {
      await beginSession(store);
      const ended = await allAtOnce(10, (index) => isWritten(store, endSessionCommit("1", "40", NOW + index)));
      assert.equal(countOf(ended, true), 1);
      assert.equal((await store.findSession("1", "40"))?.endedAt, NOW + ended.indexOf(true));
    });

    it("gives false for a session that is not there", async (store) => {
      assert.equal(await isWritten(store, endSessionCommit("1", "40", NOW)), false);
    });

    it("gives false for another business's session, which stays live", async (store) => {
      await beginSession(store);
      assert.equal(await isWritten(store, endSessionCommit("2", "40", NOW)), false);
      assert.equal((await store.findSession("1", "40"))?.endedAt, null);
    });

    it("leaves the user's other sessions live", async (store) => {
      await beginSession(store, { id: "40" });
      await beginSession(store, { id: "41" });
      await store.commit(endSessionCommit("1", "40", NOW));
      assert.equal((await store.findSession("1", "41"))?.endedAt, null);
    });

    it("stops the refresh token of that session", async (store) => {
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
      it(`${isForgotten ? "forgets" : "keeps"} one that is ${name}`, async (store) => {
        await beginSession(store, session);
        assert.equal(await store.pruneSessions(NOW, 10), isForgotten ? 1 : 0);
        assert.deepEqual(await store.findSession("1", "40"), isForgotten ? null : session);
      });
    }

    it("comes to all of them, in every business, and forgets no more at a time than asked for", async (store) => {
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

    it("comes to those that end after it has been through", async (store) => {
      for (const id of ["40", "41", "42"]) await beginSession(store, { id });
      assert.equal(await pruneAll(store), 0);
      await store.commit(endSessionCommit("1", "40", NOW - 1));
      assert.equal(await pruneAll(store), 1);
    });

    it("gives 0 when there is none", async (store) => {
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
