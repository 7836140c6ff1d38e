import { BudgetkitError } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { type SendProgress, sendRows } from "./send-rows.js";

const limited = new BudgetkitError({ status: 429, code: "RATE_LIMIT_EXCEEDED", message: "", retryAfterMs: 7_000 });
const lost = new BudgetkitError({ status: null, code: "NETWORK_ERROR", message: "" });
const invalid = new BudgetkitError({ status: 400, code: "VALIDATION_ERROR", message: "no" });
const forbidden = new BudgetkitError({ status: 403, code: "FORBIDDEN", message: "" });
const taken = new BudgetkitError({ status: 409, code: "CONFLICT", message: "" });

/** Answers each row with its failures first. */
function job(rows: readonly string[], failures: Readonly<Record<string, readonly Error[]>> = {}) {
  const attempts: string[] = [];
  const slept: number[] = [];
  const progress: SendProgress[] = [];
  const controller = new AbortController();
  let running = 0;
  let mostRunning = 0;
  const left = new Map(Object.entries(failures).map(([row, errors]) => [row, [...errors]]));
  const send = async (row: string) => {
    attempts.push(row);
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    await Promise.resolve();
    running -= 1;
    const error = left.get(row)?.shift();
    if (error !== undefined) throw error;
  };
  const sleep = async (ms: number) => {
    slept.push(ms);
  };
  const result = () =>
    sendRows({ rows, send, sleep, signal: controller.signal, onProgress: (each) => progress.push(each) });
  return { result, attempts, slept, progress, controller, mostRunning: () => mostRunning };
}

describe("sendRows", () => {
  it("sends each row once, at most four at a time", async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `row ${index}`);
    const { result, attempts, progress, mostRunning } = job(rows);
    expect([...(await result()).created].sort()).toEqual([...rows].sort());
    expect(attempts).toHaveLength(20);
    expect(mostRunning()).toBe(4);
    expect(progress.at(-1)).toEqual({ created: 20, failed: 0, pauseMs: null });
  });

  it("waits as long as the service says where the limit is used up, all rows together", async () => {
    const { result, slept, progress } = job(["a", "b"], { a: [limited], b: [limited] });
    expect((await result()).created.size).toBe(2);
    expect(slept).toEqual([7_000]);
    expect(progress.some(({ pauseMs }) => pauseMs === 7_000)).toBe(true);
  });

  it("repeats an attempt that was lost, also where the first one still runs, and keeps other failures", async () => {
    const { result, attempts } = job(["a", "b", "c"], { a: [lost, taken], b: [invalid], c: [taken] });
    const { created, failed } = await result();
    expect([...created]).toEqual(["a"]);
    expect([...failed]).toEqual([
      ["b", invalid],
      ["c", taken],
    ]);
    expect(attempts.filter((row) => row === "a")).toHaveLength(3);
  });

  it("gives up a row after three repetitions", async () => {
    const { result, attempts } = job(["a"], { a: [lost, lost, lost, lost, lost] });
    expect((await result()).failed.get("a")).toBe(lost);
    expect(attempts).toHaveLength(4);
  });

  it("sends no more once the session may not write", async () => {
    const rows = Array.from({ length: 50 }, (_, index) => String(index));
    const { result, attempts } = job(rows, Object.fromEntries(rows.map((row) => [row, [forbidden]])));
    expect((await result()).failed.size).toBe(4);
    expect(attempts).toHaveLength(4);
  });

  it("ends when it is cancelled, and says which rows were created", async () => {
    const rows = Array.from({ length: 50 }, (_, index) => String(index));
    const { result, progress, controller } = job(rows);
    const ended = result();
    while (progress.length < 8) await Promise.resolve();
    controller.abort();
    const { created, failed } = await ended;
    expect(created.size).toBeGreaterThanOrEqual(8);
    expect(created.size).toBeLessThan(50);
    expect(failed.size).toBe(0);
  });
});
