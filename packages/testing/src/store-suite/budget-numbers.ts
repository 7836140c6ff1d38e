import assert from "node:assert/strict";
import {
  type Budget,
  type IdempotencyRecord,
  insertBudgetCommit,
  type NumberDraw,
  type NumberSeries,
  numberIn,
  replaceBudgetCommit,
  type Store,
  type TransactionStore,
} from "@budgetkit/core/store";
import {
  aBudget,
  aBudgetQuery,
  aClaim,
  anEvent,
  anEventQuery,
  anIdempotencyRecord,
  FIXTURE_TIME as NOW,
} from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { drawInteger, drawOne, seededRandom } from "../seeded-random.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

const BUSINESS = "1";
const BLANK = "{number:00ff}";
const OF_2026: NumberSeries = { key: "Q-2026-{seq:4}", before: "Q-2026-", digits: 4, after: "" };
const OF_2027: NumberSeries = { key: "Q-2027-{seq}-Ñ", before: "Q-2027-", digits: 1, after: "-Ñ" };

export function budgetNumberCases(suite: Suite): void {
  drawCases(suite);
  undoneCases(suite);
  keepCases(suite);
  if (suite.hostTransactions) hostCases(suite);
}

function draw(series: NumberSeries = OF_2026): NumberDraw {
  return { kind: "draw", series, blank: BLANK };
}

type Numberer = Pick<TransactionStore, "commit">;

/** Adds a budget whose commit draws a number. */
function add(
  store: Numberer,
  id: string,
  overrides: Partial<Budget> = {},
  series: NumberSeries = OF_2026,
  record: IdempotencyRecord | null = null,
): ReturnType<typeof outcomeOf> {
  const budget = aBudget({ id, number: BLANK, ...overrides });
  const { businessId } = budget;
  const event = anEvent({ id: `9${id}`, businessId, subjectId: id, data: { number: BLANK } });
  return outcomeOf(store, insertBudgetCommit(budget, { events: [event], completes: record, numbering: draw(series) }));
}

async function numbersOf(store: Store): Promise<string[]> {
  const { entries } = await store.listBudgets(BUSINESS, aBudgetQuery());
  return entries.flatMap(({ number = [] }) => number).sort();
}

function firstNumbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => numberIn(OF_2026, index + 1));
}

function drawCases({ describe, it, itDurably }: Suite): void {
  describe("a commit that draws a number", () => {
    it("counts each number series of each business by itself", async (store) => {
      assert.deepEqual(await add(store, "10"), { number: "Q-2026-0001" });
      assert.deepEqual(await add(store, "11"), { number: "Q-2026-0002" });
      assert.deepEqual(await add(store, "12", {}, OF_2027), { number: "Q-2027-1-Ñ" });
      assert.deepEqual(await add(store, "13", { businessId: "2" }), { number: "Q-2026-0001" });
      assert.deepEqual(await add(store, "14"), { number: "Q-2026-0003" });
    });

    it("fills a drawn number into the budget, its events and the idempotency record", async (store) => {
      await store.claimKey(aClaim(), NOW);
      const record = anIdempotencyRecord({ response: `sealed\n${BLANK}` });
      await add(store, "10", { notes: `see ${BLANK}` }, OF_2026, record);
      assert.deepEqual(
        await store.findBudget(BUSINESS, "10"),
        aBudget({ number: "Q-2026-0001", notes: "see Q-2026-0001" }),
      );
      const { entries } = await store.listEvents(BUSINESS, anEventQuery());
      assert.deepEqual(
        entries.map(({ data }) => data),
        [{ number: "Q-2026-0001" }],
      );
      const again = await store.claimKey(aClaim({ claimId: "claim-2" }), NOW);
      assert.equal(again.kind === "completed" ? again.response : again.kind, "sealed\nQ-2026-0001");
    });

    it("a search finds a drawn number, in any case", async (store) => {
      await add(store, "10", {}, OF_2027);
      await add(store, "11", {}, OF_2027);
      const found = await store.listBudgets(BUSINESS, aBudgetQuery({ search: "q-2027-2-ñ" }));
      assert.deepEqual(
        found.entries.map(({ id }) => id),
        ["11"],
      );
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery({ search: "number" }))).total, 0);
    });

    it("draws a number when a draft is replaced by the sent budget", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ status: "DRAFT" })));
      await store.claimKey(aClaim(), NOW);
      const sent = aBudget({ version: 2, number: BLANK });
      const event = anEvent({ data: { number: BLANK } });
      const record = anIdempotencyRecord({ response: `sealed\n${BLANK}` });
      assert.deepEqual(
        await outcomeOf(
          store,
          replaceBudgetCommit(sent, 1, { events: [event], completes: record, numbering: draw(OF_2027) }),
        ),
        {
          number: "Q-2027-1-Ñ",
        },
      );
      assert.equal((await store.findBudget(BUSINESS, "10"))?.number, "Q-2027-1-Ñ");
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery({ search: "7-1-ñ" }))).total, 1);
      assert.deepEqual((await store.listEvents(BUSINESS, anEventQuery())).entries[0]?.data, { number: "Q-2027-1-Ñ" });
      const again = await store.claimKey(aClaim({ claimId: "claim-2" }), NOW);
      assert.equal(again.kind === "completed" ? again.response : again.kind, "sealed\nQ-2027-1-Ñ");
    });

    it("counts the bytes of a drawn number as stored", async (store) => {
      await add(store, "10");
      const stored = await store.findBudget(BUSINESS, "10");
      const { entries } = await store.listEvents(BUSINESS, anEventQuery());
      const events = entries.map(({ sequence, revision, ...event }) => event);
      const bytes = [stored, ...events].map((each) => Buffer.byteLength(JSON.stringify(each)));
      assert.equal(
        (await store.measureStorage(BUSINESS)).documentBytes,
        bytes.reduce((sum, each) => sum + each, 0),
      );
    });

    it("draws a number that is longer than its blank at the edge of the quota", async (store) => {
      const quota = { budgets: 2, bytes: 1_000_000 };
      const long: NumberSeries = { key: "long", before: "-".repeat(40), digits: 1, after: "" };
      await add(store, "10");
      const { documentBytes } = await store.measureStorage(BUSINESS);
      const budget = aBudget({ id: "11", number: BLANK });
      const bytes = documentBytes + Buffer.byteLength(JSON.stringify(budget));
      const commit = insertBudgetCommit(budget, { quota: { ...quota, bytes }, numbering: draw(long) });
      assert.deepEqual(await outcomeOf(store, commit), { number: `${"-".repeat(40)}1` });
    });

    it("draws one number each for many concurrent budgets, without gaps", async (store) => {
      const drafts = ["200", "201", "202", "203"];
      for (const id of drafts) await store.commit(insertBudgetCommit(aBudget({ id, status: "DRAFT" })));
      await Promise.all([
        allAtOnce(36, (index) => add(store, String(100 + index))),
        ...drafts.map((id) =>
          outcomeOf(store, replaceBudgetCommit(aBudget({ id, version: 2, number: BLANK }), 1, { numbering: draw() })),
        ),
      ]);
      assert.deepEqual(await numbersOf(store), firstNumbers(40));
    });

    itDurably("continues the number series after the store was opened again", async (store, reopen) => {
      await add(store, "10");
      const opened = await reopen();
      assert.deepEqual(await add(opened, "11"), { number: "Q-2026-0002" });
    });
  });
}

/** Commits that write nothing, each made to fail in another way. */
const UNDONE: Readonly<Record<string, (store: Store, id: string) => Promise<unknown>>> = {
  "an id that is taken": (store) => add(store, "1").catch(() => {}),
  "a full quota": (store, id) =>
    outcomeOf(
      store,
      insertBudgetCommit(aBudget({ id, number: BLANK }), {
        quota: { budgets: 0, bytes: 1_000_000 },
        numbering: draw(),
      }),
    ),
  "a lost claim": (store, id) => add(store, id, {}, OF_2026, anIdempotencyRecord({ key: "lost" })),
  "another version": (store) =>
    outcomeOf(store, replaceBudgetCommit(aBudget({ id: "1", version: 8, number: BLANK }), 7, { numbering: draw() })),
};

function undoneCases({ describe, it }: Suite): void {
  describe("a commit that is undone", () => {
    for (const [cause, fail] of Object.entries(UNDONE)) {
      it(`draws no number for a commit that is undone: ${cause}`, async (store) => {
        await add(store, "1");
        await fail(store, "50");
        assert.deepEqual(await add(store, "2"), { number: "Q-2026-0002" });
      });
    }

    it("an undone commit leaves no gap among the numbers of its batch", async (store) => {
      const random = seededRandom(17);
      await add(store, "1");
      for (let round = 0; round < 6; round += 1) {
        await allAtOnce(8, async (index) => {
          const id = String(100 + round * 8 + index);
          return drawInteger(random, 2) === 0 ? add(store, id) : drawOne(random, Object.values(UNDONE))(store, id);
        });
      }
      const numbers = await numbersOf(store);
      assert.deepEqual(numbers, firstNumbers(numbers.length));
    });
  });
}

function keepCases({ describe, it }: Suite): void {
  const keep = (value: number) =>
    ({ kind: "keep", number: numberIn(OF_2026, value), place: { series: OF_2026, value } }) as const;
  const insert = (store: Store, id: string, value: number, record: IdempotencyRecord | null = null) =>
    outcomeOf(
      store,
      insertBudgetCommit(aBudget({ id, number: numberIn(OF_2026, value) }), {
        completes: record,
        numbering: keep(value),
      }),
    );

  describe("a commit that keeps a number", () => {
    it("a commit that keeps a number moves the series behind it, never back", async (store) => {
      assert.equal(await insert(store, "10", 7), "written");
      assert.equal(await insert(store, "11", 3), "written");
      assert.deepEqual(await add(store, "12"), { number: "Q-2026-0008" });
      assert.equal((await store.findBudget(BUSINESS, "11"))?.number, "Q-2026-0003");
    });

    it("refuses a number that another budget has, and writes nothing (number-taken)", async (store) => {
      await add(store, "10");
      await store.claimKey(aClaim(), NOW);
      assert.deepEqual(await insert(store, "11", 1, anIdempotencyRecord()), {
        taken: "number",
        value: "Q-2026-0001",
      });
      assert.equal(await store.findBudget(BUSINESS, "11"), null);
      assert.equal(await insert(store, "11", 2, anIdempotencyRecord()), "written");
    });

    it("refuses all but one of concurrent commits that keep one number (number-taken)", async (store) => {
      const outcomes = await allAtOnce(6, (index) => insert(store, String(10 + index), 5));
      const taken = { taken: "number", value: numberIn(OF_2026, 5) } as const;
      assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, taken)], [1, 5]);
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 1);
    });

    it("a series skips a number that was kept outside of it", async (store) => {
      const given = { kind: "keep", number: "Q-2026-0002", place: null } as const;
      await store.commit(insertBudgetCommit(aBudget({ number: "Q-2026-0002" }), { numbering: given }));
      assert.deepEqual(await add(store, "11"), { number: "Q-2026-0001" });
      assert.deepEqual(await add(store, "12"), { number: "Q-2026-0003" });
    });
  });
}

function hostCases({ describe, itWithHost }: Suite): void {
  describe("a number within a transaction of the host", () => {
    itWithHost("a number of a rolled back transaction of the host is free again", async (store, host) => {
      await add(store, "10");
      const undone = await host.begin();
      assert.deepEqual(await add(store.withConnection(undone.connection), "11"), { number: "Q-2026-0002" });
      await undone.rollback();
      const kept = await host.begin();
      assert.deepEqual(await add(store.withConnection(kept.connection), "12"), { number: "Q-2026-0002" });
      await kept.commit();
      assert.deepEqual(await add(store, "13"), { number: "Q-2026-0003" });
      assert.deepEqual(await numbersOf(store), firstNumbers(3));
    });
  });
}
