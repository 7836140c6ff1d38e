import { StoreUnavailable } from "@budgetkit/core/store";
import { describe, expect, it } from "vitest";
import { createGroupCommit } from "./group-commit.js";

type Outcomes = PromiseSettledResult<string>[];

/** A schedule that closes a batch only when the test says so. */
function manualSchedule() {
  const closings: (() => void)[] = [];
  return {
    schedule: (close: () => void) => {
      closings.push(close);
    },
    closeNext: () => {
      closings.shift()?.();
    },
  };
}

/** A runner whose batches stay under way until the test finishes them. */
function manualRunner() {
  const batches: { work: readonly string[]; finish: () => void; fail: (error: unknown) => void }[] = [];
  const run = (work: readonly string[]) =>
    new Promise<Outcomes>((resolve, reject) => {
      batches.push({ work, finish: () => resolve(fulfilled(work)), fail: reject });
    });
  return { run, batches };
}

function fulfilled(work: readonly string[]): Outcomes {
  return work.map((piece) => ({ status: "fulfilled", value: `${piece} done` }));
}

/** Lets every promise that is ready run on. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe("group commit", () => {
  it("calls back once the batch of the work is committed, or has failed", async () => {
    const { run, batches } = manualRunner();
    const group = createGroupCommit({ run });
    const calls: unknown[] = [];
    const note = (result: unknown) => void calls.push(result);
    group.add("a", note, note);
    await settled();
    expect(calls).toEqual([]);
    batches[0]?.finish();
    await settled();
    expect(calls).toEqual(["a done"]);
    group.add("b", note, note);
    await settled();
    batches[1]?.fail("full");
    await settled();
    expect(calls).toEqual(["a done", "full"]);
  });

  it("carries the pieces that wait together in one batch, in their order", async () => {
    const batches: (readonly string[])[] = [];
    const group = createGroupCommit({
      run: (batch: readonly string[]) => {
        batches.push(batch);
        return fulfilled(batch);
      },
    });
    const outcomes = await Promise.all([group.commit("a"), group.commit("b"), group.commit("c")]);
    expect(outcomes).toEqual(["a done", "b done", "c done"]);
    expect(batches).toEqual([["a", "b", "c"]]);
  });

  it("closes a batch before it weighs too much, and carries alone what is heavier than that", async () => {
    const batches: (readonly string[])[] = [];
    const group = createGroupCommit({
      run: (batch: readonly string[]) => {
        batches.push(batch);
        return fulfilled(batch);
      },
      weigh: (piece) => piece.length,
      maxWeight: 4,
    });
    await Promise.all(["aa", "bb", "c", "dddddd", "e", "ff"].map((piece) => group.commit(piece)));
    expect(batches).toEqual([["aa", "bb"], ["c"], ["dddddd"], ["e", "ff"]]);
  });

  it("lets one piece fail alone", async () => {
    const group = createGroupCommit<string, string>({
      run: (batch) =>
        batch.map((piece) =>
          piece === "bad"
            ? { status: "rejected", reason: new Error("refused") }
            : { status: "fulfilled", value: piece },
        ),
    });
    const outcomes = await Promise.allSettled([group.commit("good"), group.commit("bad"), group.commit("fine")]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("fails every piece of a batch whose commit fails, and commits the next batch", async () => {
    let healthy = false;
    const group = createGroupCommit({
      run: (batch: readonly string[]) => {
        if (!healthy) throw new Error("disk full");
        return fulfilled(batch);
      },
    });
    const outcomes = await Promise.allSettled([group.commit("a"), group.commit("b")]);
    expect(outcomes).toEqual([
      { status: "rejected", reason: new Error("disk full") },
      { status: "rejected", reason: new Error("disk full") },
    ]);
    healthy = true;
    expect(await group.commit("c")).toBe("c done");
  });

  it("splits what waits into batches of at most maxBatch", async () => {
    const sizes: number[] = [];
    const group = createGroupCommit({
      maxBatch: 2,
      run: (batch: readonly string[]) => {
        sizes.push(batch.length);
        return fulfilled(batch);
      },
    });
    await Promise.all(["a", "b", "c", "d", "e"].map((piece) => group.commit(piece)));
    expect(sizes).toEqual([2, 2, 1]);
  });

  it("gathers while a batch is under way and starts the next one when that one is done", async () => {
    const { run, batches } = manualRunner();
    const group = createGroupCommit({ run });
    const first = group.commit("a");
    await settled();
    const rest = [group.commit("b"), group.commit("c")];
    await settled();
    expect(batches.map(({ work }) => work)).toEqual([["a"]]);
    batches[0]?.finish();
    await first;
    await settled();
    expect(batches.map(({ work }) => work)).toEqual([["a"], ["b", "c"]]);
    batches[1]?.finish();
    expect(await Promise.all(rest)).toEqual(["b done", "c done"]);
  });

  it("keeps at most maxInFlight batches under way", async () => {
    const { run, batches } = manualRunner();
    const group = createGroupCommit({ run, maxBatch: 1, maxInFlight: 2 });
    const all = ["a", "b", "c"].map((piece) => group.commit(piece));
    await settled();
    await settled();
    expect(batches.map(({ work }) => work)).toEqual([["a"], ["b"]]);
    batches[1]?.finish();
    await settled();
    await settled();
    expect(batches.map(({ work }) => work)).toEqual([["a"], ["b"], ["c"]]);
    for (const batch of batches) batch.finish();
    expect(await Promise.all(all)).toEqual(["a done", "b done", "c done"]);
  });

  it("gathers on while turns bring more, for as many turns as it may", async () => {
    const { schedule, closeNext } = manualSchedule();
    const batches: (readonly string[])[] = [];
    const run = (batch: readonly string[]) => {
      batches.push(batch);
      return fulfilled(batch);
    };
    const group = createGroupCommit({ run, schedule, maxTurns: 3 });
    const first = [group.commit("a"), group.commit("b")];
    closeNext();
    expect(batches).toEqual([]);
    closeNext(); // a turn that brought nothing
    expect(batches).toEqual([["a", "b"]]);
    await Promise.all(first);
    const second = [group.commit("c")];
    for (const piece of ["d", "e", "f"]) {
      second.push(group.commit(piece));
      closeNext();
    }
    expect(batches[1]).toEqual(["c", "d", "e", "f"]);
    await Promise.all(second);
  });

  it("closes a batch when the schedule says so, and schedules each batch once", async () => {
    const { schedule, closeNext } = manualSchedule();
    const batches: (readonly string[])[] = [];
    const group = createGroupCommit({
      schedule,
      run: (batch: readonly string[]) => {
        batches.push(batch);
        return fulfilled(batch);
      },
    });
    const all = [group.commit("a"), group.commit("b")];
    await settled();
    expect(batches).toEqual([]);
    closeNext();
    await Promise.all(all);
    expect(batches).toEqual([["a", "b"]]);
  });

  it("fails the waiting pieces with a batch that found the store unavailable, and commits later ones", async () => {
    let isAway = true;
    const group = createGroupCommit<string, string>({
      maxBatch: 1,
      run: async (batch) => {
        if (isAway) throw new StoreUnavailable("away");
        return batch.map((value) => ({ status: "fulfilled", value }));
      },
    });
    const outcomes = await Promise.allSettled(["a", "b", "c"].map(group.commit));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    isAway = false;
    expect(await group.commit("d")).toBe("d");
    await group.drain();
  });

  it("rejects a piece that the batch left out", async () => {
    const group = createGroupCommit<string, string>({ run: () => [] });
    await expect(group.commit("a")).rejects.toThrow("no outcome for this piece");
  });

  it("drains at once when idle, and otherwise after the last piece, failed ones included", async () => {
    const { run, batches } = manualRunner();
    const group = createGroupCommit({ run, maxBatch: 1 });
    await group.drain();
    const outcomes = Promise.allSettled([group.commit("a"), group.commit("b")]);
    let drained = false;
    const draining = group.drain().then(() => {
      drained = true;
    });
    await settled();
    batches[0]?.fail(new Error("lost"));
    await settled();
    await settled();
    expect(drained).toBe(false);
    batches[1]?.finish();
    await draining;
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(["rejected", "fulfilled"]);
  });
});
