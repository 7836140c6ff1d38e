import assert from "node:assert/strict";
import { aClaim, anEvent, anEventQuery, anIdempotencyRecord, FIXTURE_TIME as NOW } from "../fixtures.js";
import { KINDS, type Kind } from "./catalog-kinds.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

export function catalogCases(suite: Suite): void {
  for (const kind of KINDS) {
    suite.describe(`${kind.name} of the catalog`, () => {
      findCases(suite, kind);
      writeCases(suite, kind);
      commitCases(suite, kind);
    });
  }
}

function findCases({ it }: Suite, { make, insert, find, findMany }: Kind): void {
  it("finds catalog records by their id", async (store) => {
    assert.equal(await insert(store, { id: "a" }), "written");
    assert.deepEqual(await find(store, "1", "a"), make({ id: "a" }));
  });

  it("finds many catalog records at once, those that exist", async (store) => {
    for (const id of ["a", "b", "c", "d"]) await insert(store, { id });
    assert.deepEqual(idsOf(await findMany(store, "1", ["d", "x", "a", "c"])), ["a", "c", "d"]);
  });

  it("finds no catalog records for no ids", async (store) => {
    await insert(store, { id: "a" });
    assert.deepEqual(await findMany(store, "1", []), []);
  });

  it("finds catalog records once when an id is requested twice", async (store) => {
    await insert(store, { id: "a" });
    assert.deepEqual(idsOf(await findMany(store, "1", ["a", "a"])), ["a"]);
  });

  it("finds deleted catalog records as well", async (store) => {
    await insert(store, { id: "a" });
    assert.equal(await insert(store, { id: "b", deletedAt: NOW }), "written");
    assert.deepEqual(idsOf(await findMany(store, "1", ["a", "b"])), ["a", "b"]);
    assert.equal((await find(store, "1", "b"))?.deletedAt, NOW);
  });

  it("allows the same id for catalog records of two businesses", async (store) => {
    await insert(store, { id: "a", name: "ours" });
    assert.equal(await insert(store, { businessId: "2", id: "a", name: "theirs" }), "written");
    assert.equal((await findMany(store, "1", ["a"]))[0]?.name, "ours");
    assert.equal((await findMany(store, "2", ["a"]))[0]?.name, "theirs");
    assert.deepEqual(await findMany(store, "3", ["a"]), []);
  });

  it("distinguishes catalog records whose ids differ in case, zeros or signs", async (store) => {
    const ids = ["7", "007", "7.0", "A-1", "a-1", "a_1", "a:1", "cus.9"];
    for (const id of ids) assert.equal(await insert(store, { id, name: `named ${id}` }), "written");
    for (const id of ids) assert.equal((await find(store, "1", id))?.name, `named ${id}`);
  });

  it("finds 500 catalog records at once", async (store) => {
    await allAtOnce(500, (index) => insert(store, { id: `id-${index}` }));
    const ids = Array.from({ length: 500 }, (_, index) => `id-${index}`);
    assert.equal((await findMany(store, "1", ids)).length, 500);
  });
}

function writeCases({ it }: Suite, { make, insert, replace, find }: Kind): void {
  it("adds catalog records once under an id, whichever of 20 comes first", async (store) => {
    const outcomes = await allAtOnce(20, (index) => insert(store, { id: "a", name: `name ${index}` }));
    assert.equal(countOf(outcomes, "written"), 1);
    const winner = outcomes.indexOf("written");
    assert.equal((await find(store, "1", "a"))?.name, `name ${winner}`);
    const others = outcomes.filter((outcome) => outcome !== "written");
    for (const outcome of others) assert.deepEqual(outcome, { taken: "id", value: "a" });
  });

  it("deleted catalog records keep their id", async (store) => {
    await insert(store, { id: "a", deletedAt: NOW });
    assert.deepEqual(await insert(store, { id: "a" }), { taken: "id", value: "a" });
  });

  it("replaces catalog records at the expected version, and not at another (stale)", async (store) => {
    await insert(store, { id: "a" });
    const next = { id: "a", version: 2, name: "after", updatedAt: NOW + 1 };
    assert.equal(await replace(store, next, 2), "stale");
    assert.equal(await replace(store, next, 1), "written");
    assert.deepEqual(await find(store, "1", "a"), make(next));
    assert.equal(await replace(store, { ...next, name: "late" }, 1), "stale");
    assert.equal(await replace(store, { ...next, businessId: "2" }, 2), "stale");
  });

  it("replaces catalog records once when 20 writers have the same version", async (store) => {
    await insert(store, { id: "a" });
    const outcomes = await allAtOnce(20, (index) =>
      replace(store, { id: "a", version: 2, name: `name ${index}` }, 1, [anEvent({ id: `${100 + index}` })]),
    );
    assert.equal(countOf(outcomes, "written"), 1);
    assert.equal(countOf(outcomes, "stale"), 19);
    assert.equal((await find(store, "1", "a"))?.name, `name ${outcomes.indexOf("written")}`);
    assert.equal((await store.listEvents("1", anEventQuery())).total, 1);
  });
}

function commitCases({ it }: Suite, { insert, replace, find }: Kind): void {
  it("commits catalog records with their events, which wait for their fan-out", async (store) => {
    await subscribe(store, "1");
    const created = anEvent({ id: "91", type: "customer.created", subjectId: "a" });
    await insert(store, { id: "a" }, [created]);
    await replace(store, { id: "a", version: 2 }, 1, [{ ...created, id: "92", type: "customer.updated" }]);
    const { entries } = await store.listEvents("1", anEventQuery({ subjectId: "a" }));
    assert.deepEqual(
      entries.map(({ id }) => id),
      ["92", "91"],
    );
    assert.equal((await store.findUndispatchedEvents(10)).length, 2);
  });

  it("writes no event of catalog records that are not written", async (store) => {
    await insert(store, { id: "a" });
    await insert(store, { id: "a" }, [anEvent({ id: "91" })]);
    await replace(store, { id: "a", version: 3 }, 2, [anEvent({ id: "92" })]);
    assert.equal((await store.listEvents("1", anEventQuery())).total, 0);
  });

  it("catalog records complete the idempotency record that comes with them", async (store) => {
    await store.claimKey(aClaim(), NOW);
    assert.equal(await insert(store, { id: "a" }, [], anIdempotencyRecord()), "written");
    const replay = await store.claimKey(aClaim({ claimId: "claim-2" }), NOW);
    assert.deepEqual(replay, { kind: "completed", fingerprint: "fingerprint-1", response: "sealed-response" });
  });

  it("writes no catalog records whose idempotency claim is lost", async (store) => {
    assert.equal(await insert(store, { id: "a" }, [anEvent()], anIdempotencyRecord()), "claim-lost");
    assert.equal(await find(store, "1", "a"), null);
    await insert(store, { id: "a" });
    assert.equal(await replace(store, { id: "a", version: 2 }, 1, [anEvent()], anIdempotencyRecord()), "claim-lost");
    assert.equal((await find(store, "1", "a"))?.version, 1);
    assert.equal((await store.listEvents("1", anEventQuery())).total, 0);
  });

  it("keeps the idempotency claim open when something of catalog records is taken", async (store) => {
    await store.claimKey(aClaim(), NOW);
    await insert(store, { id: "a" });
    await insert(store, { id: "a" }, [], anIdempotencyRecord());
    assert.equal(await insert(store, { id: "b" }, [], anIdempotencyRecord()), "written");
  });
}

function idsOf(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id).sort();
}
