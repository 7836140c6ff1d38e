import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreUnavailable } from "@budgetkit/core/store";
import { describe, expect, it } from "vitest";
import { type ArrayFunction, arrayBatches, arrayParameters, rowsOf } from "./array-batches.js";
import type { RepeatableCalls } from "./repeatable-transactions.js";
import type { SqlValue } from "./session.js";

const WRITE: ArrayFunction = {
  name: "write",
  tables: { notes: { id: "bigint", note: "text" }, marks: { id: "bigint" } },
};

/** Calls that are answered by `run`, and the arrays of each. */
function callsBy(run: (notes: readonly unknown[]) => unknown) {
  const sent: (readonly SqlValue[])[] = [];
  const callOnce: RepeatableCalls = async (_, values) => {
    sent.push(values);
    const notes = values[2];
    return run(Array.isArray(notes) ? notes : []);
  };
  return { callOnce, sent };
}

describe("calls that share arrays", () => {
  it("batched calls are one statement with an array for each column, and get an outcome each", async () => {
    const { callOnce, sent } = callsBy(() => [2]);
    const batches = arrayBatches(WRITE, callOnce, (sql) => sql);
    const outcomes = await Promise.all([
      batches.commit({
        notes: [
          { id: 7, note: 'a "quoted" \\ {text}, NULL' },
          { id: 8, note: null },
        ],
        marks: [],
      }),
      batches.commit({ notes: [{ id: 9, note: "" }], marks: [{ id: 1 }] }),
    ]);
    expect(outcomes).toEqual([false, true]);
    expect(sent).toEqual([[[1, 1, 2], [7, 8, 9], ['a "quoted" \\ {text}, NULL', null, ""], [2], [1]]]);
  });

  it("batched calls run in halves after one of them has failed the batch, which fails alone", async () => {
    const { callOnce, sent } = callsBy((notes) => {
      if (notes.includes("bad")) throw Object.assign(new Error("bad note"), { code: "23514" });
      return [1];
    });
    const batches = arrayBatches(WRITE, callOnce, (sql) => sql);
    const outcomes = await Promise.allSettled(
      ["good", "bad"].map((note) => batches.commit({ notes: [{ id: 1, note }], marks: [] })),
    );
    expect(outcomes).toMatchObject([{ value: true }, { reason: new Error("bad note") }]);
    expect(sent).toHaveLength(3);
  });

  it("a call that fails its batch leaves connections to others, and costs few more statements", async () => {
    let running = 0;
    let most = 0;
    const sent: number[] = [];
    const callOnce: RepeatableCalls = async (_, [places, , notes]) => {
      running += 1;
      most = Math.max(most, running);
      await nextTurn();
      running -= 1;
      sent.push(Array.isArray(places) ? places.length : 0);
      if (Array.isArray(notes) && notes.includes("bad")) throw new Error("bad note");
      return places;
    };
    const batches = arrayBatches(WRITE, callOnce, (sql) => sql);
    const calls = Array.from({ length: 64 }, (_, n) => (n === 37 ? "bad" : "good"));
    const outcomes = await Promise.allSettled(
      calls.map((note) => batches.commit({ notes: [{ id: 1, note }], marks: [] })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      calls.map((note) => (note === "bad" ? "rejected" : "fulfilled")),
    );
    expect([most, sent.length]).toEqual([1, 13]); // halves
  });

  it("batched calls run in halves after PostgreSQL refused their arrays, and wait together while it is away", async () => {
    const refusal = Object.assign(new Error("invalid byte sequence"), { code: "22021" });
    const { callOnce, sent } = callsBy((notes) => {
      if (notes.includes("away")) throw new StoreUnavailable("the database is away");
      if (notes.includes("bad")) throw refusal;
      return [1];
    });
    const batches = arrayBatches(WRITE, callOnce, (sql) => sql);
    const outcomesOf = (notes: readonly string[]) =>
      Promise.allSettled(notes.map((note) => batches.commit({ notes: [{ id: 1, note }], marks: [] })));
    expect(await outcomesOf(["good", "bad"])).toMatchObject([{ value: true }, { reason: refusal }]);
    expect(sent).toHaveLength(3);
    expect(await outcomesOf(["good", "away"])).toMatchObject([
      { reason: new StoreUnavailable("the database is away") },
      { reason: new StoreUnavailable("the database is away") },
    ]);
    expect(sent).toHaveLength(4);
  });

  it("passes the arrays to a function with these parameters, which reads them as rows", () => {
    expect(arrayParameters(WRITE)).toBe(
      "notes_place integer[], notes_id bigint[], notes_note text[], marks_place integer[], marks_id bigint[]",
    );
    expect(rowsOf(WRITE, "marks")).toBe("unnest(marks_place, marks_id) AS given (place, id)");
  });
});
