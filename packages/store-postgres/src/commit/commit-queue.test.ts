import { setImmediate as nextTurn } from "node:timers/promises";
import { IdTaken, StoreUnavailable } from "@budgetkit/core/store";
import { afterEach, describe, expect, it, vi } from "vitest";
import { NotCommitted } from "../engine/failures.js";
import { statementsIn } from "../engine/statements.js";
import { commitQueue } from "./commit-queue.js";
import { PIECE_TIMEOUT_MS } from "./late-pieces.js";
import { businessOpener } from "./open-business.js";
import type { PieceOutcome } from "./run-batch.js";
import type { Piece } from "./run-pieces.js";

const openBusiness = businessOpener(statementsIn((sql) => sql));
const TAKEN = new IdTaken("the id is taken");
const AWAY = new StoreUnavailable("PostgreSQL is away");

/** A piece of a name, by which it is decided: `decide` may throw. */
function piece(name: string, { business = 1, decide = () => {} } = {}): Piece<string> {
  return {
    business,
    footprint: new Set([name]),
    size: 1,
    inspect: async () => () => {
      decide();
      return name;
    },
  };
}

/** Fails as often as there are errors, then succeeds. */
function failing(...errors: readonly Error[]): () => void {
  const left = [...errors];
  return () => {
    const error = left.shift();
    if (error !== undefined) throw error;
  };
}

/** A queue, its batches by the businesses of their pieces, and the businesses that another transaction holds. */
function queueOf(options: Parameters<typeof commitQueue>[1] = {}) {
  const batches: number[][] = [];
  const held = new Set<number>();
  const run = async (pieces: readonly Piece[], lockTimeoutMs: number): Promise<readonly PieceOutcome[]> => {
    batches.push(pieces.map(({ business }) => business));
    await nextTurn();
    if (pieces.some(({ business }) => held.has(business))) passTime(lockTimeoutMs);
    const outcomes: PieceOutcome[] = [];
    for (const { business, inspect } of pieces) {
      const isBusy = held.has(business);
      if (!isBusy) await (await inspect(openBusiness(business, { run: async () => [], fail: () => {} })))();
      outcomes.push(isBusy ? "busy" : "committed");
    }
    return outcomes;
  };
  return { queue: commitQueue(run, options), batches, held };
}

let passed = 0;
const now = performance.now();
function passTime(ms: number): void {
  passed += ms;
  vi.spyOn(performance, "now").mockReturnValue(now + passed);
}

afterEach(() => vi.restoreAllMocks());

describe("pieces that wait at the same time", () => {
  it("pieces of all businesses share a batch, and each resolves with its own result", async () => {
    const { queue, batches } = queueOf();
    const pieces = [piece("a"), piece("b", { business: 2 }), piece("c")];
    expect(await Promise.all(pieces.map(queue.run))).toEqual(["a", "b", "c"]);
    expect(batches).toEqual([[1, 2, 1]]);
  });

  it("a piece that fails its batch fails alone", async () => {
    const { queue, batches } = queueOf();
    const refusal = new RangeError("no number");
    const pieces = [
      piece("a"),
      piece("bad", { decide: failing(refusal, refusal, refusal) }),
      piece("c", { business: 2 }),
    ];
    expect(await Promise.allSettled(pieces.map(queue.run))).toEqual([
      { status: "fulfilled", value: "a" },
      { status: "rejected", reason: refusal },
      { status: "fulfilled", value: "c" },
    ]);
    expect(batches).toEqual([[1, 1, 2], [1, 1], [1], [1], [2]]);
  });

  it("a duplicate is decided once more, and sees what another process has written meanwhile (IdTaken)", async () => {
    const { queue } = queueOf();
    const pieces = [piece("a"), piece("late", { decide: failing(TAKEN, TAKEN) })];
    expect(await Promise.all(pieces.map(queue.run))).toEqual(["a", "late"]);
  });

  it("a piece that remains a duplicate fails alone (IdTaken)", async () => {
    const { queue, batches } = queueOf();
    const pieces = [piece("a"), piece("taken", { decide: failing(TAKEN, TAKEN, TAKEN, TAKEN) })];
    expect(await Promise.allSettled(pieces.map(queue.run))).toEqual([
      { status: "fulfilled", value: "a" },
      { status: "rejected", reason: TAKEN },
    ]);
    expect(batches).toHaveLength(4);
  });

  it("all pieces of a batch fail together while the database is away, and none runs again (StoreUnavailable)", async () => {
    const { queue, batches } = queueOf();
    const pieces = [piece("a"), piece("b", { decide: failing(AWAY) })];
    expect(await Promise.allSettled(pieces.map(queue.run))).toEqual([
      { status: "rejected", reason: AWAY },
      { status: "rejected", reason: AWAY },
    ]);
    expect(batches).toHaveLength(1);
    expect(await queue.run(piece("c"))).toBe("c");
  });

  it("the businesses of a node that is away fail, and those of other nodes are written (StoreUnavailable)", async () => {
    const { queue, batches } = queueOf({ mayFailInPart: true });
    const fail = () => {
      throw new NotCommitted("a worker is away");
    };
    const pieces = [piece("a"), piece("b", { business: 2, decide: fail }), piece("c", { business: 3 })];
    const outcomes = await Promise.allSettled(pieces.map(queue.run));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it("a batch of several nodes that may be committed is not written again (StoreUnavailable)", async () => {
    const { queue, batches } = queueOf({ mayFailInPart: true });
    const pieces = [piece("a"), piece("b", { business: 2, decide: failing(AWAY) })];
    const outcomes = await Promise.allSettled(pieces.map(queue.run));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(batches).toHaveLength(1);
  });

  it("a business that another transaction holds delays its own pieces only, until the first of them succeeds", async () => {
    const { queue, batches, held } = queueOf();
    held.add(1);
    const ended: string[] = [];
    const run = async (name: string, business: number) => {
      ended.push(await queue.run(piece(name, { business })));
    };
    const waiting = [run("held", 1), run("also held", 1)];
    await run("free", 2);
    batches.length = 0;
    waiting.push(run("held later", 1));
    await run("free later", 2);
    expect(ended).toEqual(["free", "free later"]);
    expect(batches).toContainEqual([2]); // without the held business
    expect(batches).not.toContainEqual(expect.arrayContaining([1, 2]));

    held.clear();
    await Promise.all(waiting);
    expect(ended.sort()).toEqual(["also held", "free", "free later", "held", "held later"]);
    batches.length = 0;
    await Promise.all([run("a", 1), run("b", 2)]);
    expect(batches).toEqual([[1, 2]]);
  });

  it("a piece fails that has waited too long for its business, and the business is tried again (StoreUnavailable)", async () => {
    const { queue, batches, held } = queueOf();
    held.add(1);
    const began = passed;
    await expect(queue.run(piece("a"))).rejects.toThrow(
      new StoreUnavailable("another transaction holds the business for too long"),
    );
    expect(passed - began).toBeGreaterThanOrEqual(PIECE_TIMEOUT_MS);
    held.clear();
    batches.length = 0;
    expect(await Promise.all([queue.run(piece("b")), queue.run(piece("c", { business: 2 }))])).toEqual(["b", "c"]);
    expect(batches).toEqual([[1, 2]]);
  });

  it("a piece that was committed keeps its result, though the store fails before those that waited with it", async () => {
    const rounds: (() => readonly PieceOutcome[])[] = [
      () => ["busy", "busy"],
      () => ["committed", "busy"], // too many pieces for one transaction
      () => {
        throw AWAY;
      },
    ];
    const queue = commitQueue(async (pieces) => {
      for (const { inspect } of pieces)
        await (await inspect(openBusiness(1, { run: async () => [], fail: () => {} })))();
      return rounds.shift()?.() ?? [];
    });
    expect(await Promise.allSettled([piece("a"), piece("b")].map(queue.run))).toEqual([
      { status: "fulfilled", value: "a" },
      { status: "rejected", reason: AWAY },
    ]);
  });

  it("a piece that fails while its business was held fails alone", async () => {
    const { queue, held } = queueOf();
    held.add(1);
    const refusal = new RangeError("no number");
    const outcomes = Promise.allSettled(
      [piece("a"), piece("bad", { decide: failing(refusal, refusal) })].map(queue.run),
    );
    await queue.run(piece("free", { business: 2 }));
    held.clear();
    expect(await outcomes).toEqual([
      { status: "fulfilled", value: "a" },
      { status: "rejected", reason: refusal },
    ]);
  });

  it("a queue is drained when no piece waits or runs, also of a business that was held", async () => {
    const { queue, held } = queueOf();
    held.add(1);
    const ended: string[] = [];
    for (const business of [1, 2]) void queue.run(piece(`${business}`, { business })).then((name) => ended.push(name));
    await queue.run(piece("free", { business: 2 }));
    const drained = queue.drain();
    held.clear();
    await drained;
    expect(ended.sort()).toEqual(["1", "2"]);
  });
});
