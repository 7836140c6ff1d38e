import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { addUse, NO_USE, type StorageUse, type Store, type StoreCommit } from "@budgetkit/core/store";
import { aClaim, anAuditEntry, anEvent, anEventQuery, anIdempotencyRecord, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { COMPLETED, LOSSES } from "./claim-samples.js";
import { aPlanned, ENDPOINT_ALONE, planned } from "./plan-samples.js";
import { allAtOnce, type Suite } from "./suite.js";
import { aLease, subscribe } from "./webhook-samples.js";
import { WRITE_SAMPLES } from "./write-samples/index.js";
import { bytesOf, inBusiness2, renamed, type WriteSample } from "./write-samples/sample.js";

/** What a store promises of every kind of write. */
export function writeCases(suite: Suite): void {
  for (const sample of WRITE_SAMPLES) {
    suite.describe(`the write of ${sample.name}`, () => {
      writtenCases(suite, sample);
      refusedCases(suite, sample);
      raceCases(suite, sample);
      idCases(suite, sample);
      endCases(suite, sample);
    });
  }
}

/** The commit with all that the sample may have beside it: two events and an audit entry whose ids end on `n`, and `given`. */
function whole({ beside }: WriteSample, commit: StoreCommit, n: number, given: Partial<StoreCommit> = {}): StoreCommit {
  const has = (name: WriteSample["beside"][number]) => beside.includes(name);
  const { events = [anEvent({ id: `9${n}` }), anEvent({ id: `8${n}`, type: "budget.updated" })] } = given;
  return {
    ...commit,
    events: has("events") ? events : [],
    audit: has("audit") ? [...commit.audit, anAuditEntry({ id: `7${n}` })] : commit.audit,
    completes: has("completes") ? (given.completes ?? null) : null,
    quota: has("quota") ? (given.quota ?? commit.quota) : null,
    deliveries: has("events") ? (given.deliveries ?? null) : null,
  };
}

const RECORD = { completes: anIdempotencyRecord() };
const PLANNED = { ...RECORD, ...planned(ENDPOINT_ALONE, [aPlanned({ id: "7000", lease: aLease() })]) };

/** Expects the claim that {@link prepared} has made to be completed, if the sample can complete one. */
async function assertCompleted(store: Store, { beside }: WriteSample): Promise<void> {
  const expected = beside.includes("completes") ? COMPLETED : { kind: "in-flight" };
  assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), expected);
}

async function attempt(store: Pick<Store, "commit">, commit: StoreCommit): Promise<unknown> {
  return outcomeOf(store, commit).catch(() => "rejected");
}

async function prepared(store: Store, sample: WriteSample): Promise<void> {
  await subscribe(store, "1");
  await sample.prepare(store);
  await store.claimKey(aClaim(), NOW);
}

/** The ids of the events and audit entries, from the first to the last, whose sequences have no gap. */
async function entryIds(store: Store): Promise<string[]> {
  const { entries } = await store.listEvents("1", anEventQuery());
  const ascending = [...entries].reverse();
  assert.deepEqual(
    ascending.map(({ sequence }) => sequence),
    ascending.map((_, index) => index + 1),
  );
  return ascending.map(({ id }) => id);
}

function idsIn({ events, audit }: StoreCommit): string[] {
  return [...events, ...audit].map(({ id }) => id);
}

/** The rows and bytes that a commit adds, without those of its deliveries. */
function addedBy(sample: WriteSample, mark: string, { events, audit }: StoreCommit): StorageUse {
  return addUse(addUse(NO_USE, sample.adds(mark)), { documentBytes: bytesOf(...events, ...audit) });
}

/** Everything that a refused commit leaves as it is. */
async function stateOf(store: Store, sample: WriteSample) {
  return {
    read: await sample.read(store),
    entries: await entryIds(store),
    undispatched: await store.findUndispatchedEvents(9),
    storage: await store.measureStorage("1"),
    claim: await store.claimKey(aClaim({ claimId: "claim-2" }), NOW),
    planned: await store.findDelivery("1", "7000"),
  };
}

function writtenCases({ it }: Suite, sample: WriteSample): void {
  it(`writes ${sample.name} with its events, audit entry and idempotency record`, async (store) => {
    await prepared(store, sample);
    const before = await store.measureStorage("1");
    assert.notDeepEqual(await sample.read(store), sample.after("mark"));
    const commit = whole(sample, sample.commit("mark"), 1, RECORD);
    assert.equal(await attempt(store, commit), "written");
    assert.deepEqual(await sample.read(store), sample.after("mark"));
    const { entries } = await store.listEvents("1", anEventQuery());
    const asGiven = entries.map(({ sequence, revision, ...entry }) => entry).reverse();
    assert.deepEqual(asGiven, [...commit.events, ...commit.audit]);
    assert.deepEqual(await entryIds(store), idsIn(commit));
    const waiting = (await store.findUndispatchedEvents(9)).map(({ id }) => id);
    assert.deepEqual(
      waiting,
      commit.events.map(({ id }) => id),
    );
    await assertCompleted(store, sample);
    assert.deepEqual(await store.measureStorage("1"), addUse(before, addedBy(sample, "mark", commit)));
  });
}

function refusedCases(suite: Suite, sample: WriteSample): void {
  const full = { budgets: 0, bytes: 0 };

  suite.it(`writes nothing of ${sample.name} and of what stands beside it when it is refused`, async (store) => {
    await prepared(store, sample);
    const before = await stateOf(store, sample);
    for (const [name, [commit, outcome]] of Object.entries(sample.refusals)) {
      const refused = whole(sample, commit, 1, { ...PLANNED, quota: commit.quota });
      assert.deepEqual(await attempt(store, refused), outcome, name);
      assert.deepEqual(await stateOf(store, sample), before, name);
      if (outcome === "rejected") continue;
      // The write and its conditions come before the quota and the claim.
      const completes = anIdempotencyRecord({ claimId: "lost" });
      const lost = whole(sample, commit, 1, { quota: commit.quota ?? full, completes });
      assert.deepEqual(await attempt(store, lost), outcome, name);
    }
    assert.deepEqual(await stateOf(store, sample), before);
  });

  if (sample.beside.includes("completes")) lostCase(suite, sample);
  if (sample.beside.includes("quota")) quotaCase(suite, sample);
}

function lostCase({ it }: Suite, sample: WriteSample): void {
  it(`writes nothing of ${sample.name} when its idempotency claim is lost (claim-lost)`, async (store) => {
    await prepared(store, sample);
    const before = await stateOf(store, sample);
    for (const [index, { name, lose }] of LOSSES.entries()) {
      const key = `lost-${index}`;
      await lose(store, key);
      const commit = whole(sample, sample.commit("mark"), 1, { ...PLANNED, completes: anIdempotencyRecord({ key }) });
      assert.equal(await attempt(store, commit), "claim-lost", name);
      assert.deepEqual(await stateOf(store, sample), before, name);
    }
    assert.equal(await attempt(store, whole(sample, sample.commit("mark"), 2, PLANNED)), "written");
    assert.deepEqual(await sample.read(store), sample.after("mark"));
  });
}

function quotaCase({ it }: Suite, sample: WriteSample): void {
  it(`writes ${sample.name} up to the last byte of a quota, and not beyond it (quota-exceeded)`, async (store) => {
    await prepared(store, sample);
    const before = await stateOf(store, sample);
    const commit = whole(sample, sample.commit("mark"), 1, RECORD);
    const used = addUse(await store.measureStorage("1"), addedBy(sample, "mark", commit));
    const bytes = used.documentBytes + used.attachmentBytes + used.deliveryBytes;
    const small = { ...commit, quota: { budgets: null, bytes: bytes - 1 } };
    assert.equal(await attempt(store, small), "quota-exceeded");
    assert.deepEqual(await stateOf(store, sample), before);
    const exact = { budgets: used.budgets, bytes };
    assert.equal(await attempt(store, { ...commit, quota: exact }), "written");
    assert.deepEqual(await store.measureStorage("1"), used);
  });
}

function raceCases({ it }: Suite, sample: WriteSample): void {
  const all = sample.again === "written";
  it(`writes ${sample.name} for ${all ? "each" : "one"} of 20 callers at once`, async (store) => {
    await prepared(store, sample);
    const before = await store.measureStorage("1");
    const commits = Array.from({ length: 20 }, (_, index) =>
      whole(sample, sample.commit(`mark ${10 + index}`), 10 + index),
    );
    const outcomes = await allAtOnce(20, async (index) => attempt(store, commits[index] ?? sample.commit("")));
    const winner = outcomes.indexOf("written");
    const others = outcomes.filter((_, index) => index !== winner);
    assert.deepEqual(
      others,
      others.map(() => sample.again),
    );
    if (sample.mayRejectAll === true && winner < 0) return;
    const written = commits.filter((_, index) => all || index === winner);
    const marks = written.map((commit) => `mark ${10 + commits.indexOf(commit)}`);
    const shown = await sample.read(store);
    assert.ok(marks.some((mark) => isDeepStrictEqual(shown, sample.after(mark))));
    assert.deepEqual((await entryIds(store)).sort(), written.flatMap(idsIn).sort());
    if (all) return;
    const [commit = sample.commit("")] = written;
    assert.deepEqual(await store.measureStorage("1"), addUse(before, addedBy(sample, marks[0] ?? "", commit)));
  });
}

/** Texts that a lenient reading would take for the id, or that are no ids at all. */
function oddForms(id: string): readonly string[] {
  const arabic = [...id].map((digit) => "٠١٢٣٤٥٦٧٨٩"[Number(digit)]).join("");
  const near = [`0${id}`, `+${id}`, ` ${id}`, `${id} `, `${id}.0`, `${id}e0`, `${id}_`, `${id};`, `${id}abc`];
  const none = [
    "",
    "0",
    "-1",
    "abc",
    "NaN",
    "null",
    "%",
    "__proto__",
    "9007199254740993",
    "99999999999999999999999999",
  ];
  return [...near, arabic, `0x${Number(id).toString(16)}`, `${id}' OR '1'='1`, ...none];
}

function idCases({ it }: Suite, sample: WriteSample): void {
  it(`another business's id, unknown and odd ids are unknown to ${sample.name}`, async (store) => {
    await prepared(store, sample);
    const before = await stateOf(store, sample);
    const commit = sample.commit("elsewhere");
    for (const from of sample.ids) {
      for (const to of [`${from}9`, ...oddForms(from)]) {
        assert.deepEqual(await attempt(store, renamed(commit, from, to)), sample.elsewhere, to);
      }
    }
    assert.deepEqual(await attempt(store, renamed(commit, "1", "2")), sample.elsewhere);
    assert.deepEqual(await stateOf(store, sample), before);
  });

  it(`writes ${sample.name} in one of two businesses that have the same ids`, async (store) => {
    await prepared(store, sample);
    const before = await stateOf(store, sample);
    await sample.prepare({ ...store, commit: (commit) => store.commit(inBusiness2(commit)) });
    assert.deepEqual(await attempt(store, inBusiness2(sample.commit("theirs"))), "written");
    assert.deepEqual(await stateOf(store, sample), before);
    assert.deepEqual(await attempt(store, sample.commit("ours")), "written");
    assert.deepEqual(await sample.read(store), sample.after("ours"));
  });
}

function endCases({ it, itDurably, itWithHost }: Suite, sample: WriteSample): void {
  it(`a closed store rejects ${sample.name}`, async (store) => {
    await store.close();
    await assert.rejects(async () => store.commit(sample.commit("mark")));
  });

  itDurably(`${sample.name} is there after the store was reopened`, async (store, reopen) => {
    await prepared(store, sample);
    const commit = whole(sample, sample.commit("mark"), 1, RECORD);
    assert.equal(await attempt(store, commit), "written");
    const storage = await store.measureStorage("1");
    const again = await reopen();
    assert.deepEqual(await sample.read(again), sample.after("mark"));
    assert.deepEqual(await entryIds(again), idsIn(commit));
    assert.equal((await again.findUndispatchedEvents(9)).length, commit.events.length);
    await assertCompleted(again, sample);
    assert.deepEqual(await again.measureStorage("1"), storage);
    assert.deepEqual(await attempt(again, sample.commit("mark 99")), sample.again);
  });

  itWithHost(
    `a host's transaction writes ${sample.name} when it commits, and undoes it otherwise`,
    async (store, host) => {
      await prepared(store, sample);
      const before = await stateOf(store, sample);
      const commit = whole(sample, sample.commit("mark"), 1, RECORD);
      for (const end of ["rollback", "commit"] as const) {
        const transaction = await host.begin();
        const within = store.withConnection(transaction.connection);
        assert.equal(await attempt(within, commit), "written");
        assert.deepEqual(await sample.read(store), before.read);
        await transaction[end]();
        if (end === "rollback") assert.deepEqual(await stateOf(store, sample), before);
      }
      assert.deepEqual(await sample.read(store), sample.after("mark"));
      assert.deepEqual(await entryIds(store), idsIn(commit));
      await assertCompleted(store, sample);
      assert.deepEqual(await store.measureStorage("1"), addUse(before.storage, addedBy(sample, "mark", commit)));
    },
  );
}
