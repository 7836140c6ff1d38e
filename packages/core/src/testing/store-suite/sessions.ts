import assert from "node:assert/strict";
import type { RefreshRotation } from "../../access/access-store.js";
import { DAY_MS } from "../../kernel/clock.js";
import type { Store } from "../../store.js";
import { aSession, FIXTURE_TIME as NOW } from "../fixtures.js";
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

export function sessionCases(suite: Suite): void {
  rotationCases(suite);
  endCases(suite);
  pruneCases(suite);
}

function rotationCases({ describe, it }: Suite): void {
  describe("rotating a refresh token", () => {
    it("stores the new token and its expiry and changes nothing else", async (store) => {
      await store.insertSession(aSession());
      assert.equal(await store.rotateRefresh(aRotation(), NOW), "rotated");
      const expected = aSession({ refreshHash: "hash-of-refresh-2", refreshExpiresAt: ROTATED_UNTIL });
      assert.deepEqual(await store.findSession("1", "40"), expected);
    });

    it("goes on from one token to the next", async (store) => {
      await store.insertSession(aSession());
      await store.rotateRefresh(aRotation(), NOW);
      const next = aRotation({ expectedHash: "hash-of-refresh-2", newHash: "hash-of-refresh-3" });
      assert.equal(await store.rotateRefresh(next, NOW), "rotated");
    });

    it("refuses a token that was used before", async (store) => {
      await store.insertSession(aSession());
      await store.rotateRefresh(aRotation(), NOW);
      assert.equal(await store.rotateRefresh(aRotation({ newHash: "stolen" }), NOW), "refused");
      assert.equal((await store.findSession("1", "40"))?.refreshHash, "hash-of-refresh-2");
    });

    it("lets exactly one of 20 holders of the same token win", async (store) => {
      await store.insertSession(aSession());
      const outcomes = await allAtOnce(20, (index) =>
        store.rotateRefresh(aRotation({ newHash: `hash-${index}` }), NOW),
      );
      assert.equal(countOf(outcomes, "rotated"), 1);
      assert.equal((await store.findSession("1", "40"))?.refreshHash, `hash-${outcomes.indexOf("rotated")}`);
    });

    it("takes a token that is about to expire", async (store) => {
      await store.insertSession(aSession({ refreshExpiresAt: NOW + 1 }));
      assert.equal(await store.rotateRefresh(aRotation(), NOW), "rotated");
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
        await store.insertSession(session);
        assert.equal(await store.rotateRefresh(rotation, NOW), "refused");
        assert.deepEqual(await store.findSession("1", "40"), session);
      });
    }

    it("touches no other session", async (store) => {
      await store.insertSession(aSession({ id: "40" }));
      await store.insertSession(aSession({ id: "41" }));
      await store.rotateRefresh(aRotation(), NOW);
      assert.deepEqual(await store.findSession("1", "41"), aSession({ id: "41" }));
    });
  });
}

function endCases({ describe, it }: Suite): void {
  describe("ending a session", () => {
    it("records when it ended", async (store) => {
      await store.insertSession(aSession());
      assert.equal(await store.endSession("1", "40", NOW + 5), true);
      assert.deepEqual(await store.findSession("1", "40"), aSession({ endedAt: NOW + 5 }));
    });

    it("gives false the second time and keeps the first moment", async (store) => {
      await store.insertSession(aSession());
      await store.endSession("1", "40", NOW + 5);
      assert.equal(await store.endSession("1", "40", NOW + 6), false);
      assert.equal((await store.findSession("1", "40"))?.endedAt, NOW + 5);
    });

    it("gives true to exactly one of 10 callers", async (store) => {
      await store.insertSession(aSession());
      const ended = await allAtOnce(10, (index) => store.endSession("1", "40", NOW + index));
      assert.equal(countOf(ended, true), 1);
      assert.equal((await store.findSession("1", "40"))?.endedAt, NOW + ended.indexOf(true));
    });

    it("gives false for a session that is not there", async (store) => {
      assert.equal(await store.endSession("1", "40", NOW), false);
    });

    it("gives false for another business's session, which stays live", async (store) => {
      await store.insertSession(aSession());
      assert.equal(await store.endSession("2", "40", NOW), false);
      assert.equal((await store.findSession("1", "40"))?.endedAt, null);
    });

    it("leaves the user's other sessions live", async (store) => {
      await store.insertSession(aSession({ id: "40" }));
      await store.insertSession(aSession({ id: "41" }));
      await store.endSession("1", "40", NOW);
      assert.equal((await store.findSession("1", "41"))?.endedAt, null);
    });

    it("stops the refresh token of that session", async (store) => {
      await store.insertSession(aSession());
      await store.endSession("1", "40", NOW);
      assert.equal(await store.rotateRefresh(aRotation(), NOW), "refused");
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
        await store.insertSession(session);
        assert.equal(await store.pruneSessions(NOW, 10), isForgotten ? 1 : 0);
        assert.deepEqual(await store.findSession("1", "40"), isForgotten ? null : session);
      });
    }

    it("comes to all of them, in every business, and forgets no more at a time than asked for", async (store) => {
      for (const businessId of ["1", "2", "10"]) {
        for (let id = 36; id < 46; id += 1) {
          const endedAt = id % 2 === 0 ? NOW - 1 : null;
          await store.insertSession(aSession({ businessId, id: String(id), endedAt }));
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
      for (const id of ["40", "41", "42"]) await store.insertSession(aSession({ id }));
      assert.equal(await pruneAll(store), 0);
      await store.endSession("1", "40", NOW - 1);
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
