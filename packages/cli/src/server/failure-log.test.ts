import { StoreUnavailable } from "@budgetkit/core/store";
import { manualClock } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createFailureLog } from "./failure-log.js";

const away = new StoreUnavailable("PostgreSQL cannot serve: connect ECONNREFUSED postgres://a:secret@db/b");

describe("what the operator is told of failures", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  function opened() {
    const lines: string[] = [];
    const clock = manualClock("2026-03-02T12:00:00.000Z");
    const isReady = vi.fn(async () => false);
    const print = (level: string, text: string) =>
      void lines.push(`${new Date(clock.now()).toISOString()} ${level} ${text}`);
    const log = createFailureLog({ isReady, clock, print });
    onTestFinished(log.stop);
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1_000);
        await vi.advanceTimersByTimeAsync(1_000);
      }
    };
    return { ...log, lines, isReady, pass };
  }

  it("logs an outage when it begins and when it ends, however much fails meanwhile", async () => {
    const { report, lines, isReady, pass } = opened();
    report(away, "request-1");
    for (let failure = 0; failure < 40; failure += 1) report(away);
    await pass(9);
    isReady.mockResolvedValue(true);
    await pass(3);
    expect(lines).toEqual([
      "2026-03-02T12:00:00.000Z error The store cannot serve: PostgreSQL cannot serve: connect ECONNREFUSED " +
        "postgres://a:***@db/b. Request request-1. Failures are only counted until it serves again.",
      "2026-03-02T12:00:10.000Z info The store serves again after 10 s, in which 41 requests or rounds failed.",
    ]);
    expect(isReady).toHaveBeenCalledTimes(9);
  });

  it("logs one outage for as long as anything fails, though the store reports that it is ready", async () => {
    const { report, lines, isReady, pass } = opened();
    isReady.mockResolvedValue(true);
    for (let failure = 0; failure < 3; failure += 1) {
      report(new StoreUnavailable("SQLite cannot serve: the disk is full"));
      await pass(1);
    }
    await pass(2);
    expect(lines.map((line) => line.split(" ")[1])).toEqual(["error", "info"]);
  });

  it("logs one outage when several steps of the maintenance fail at once", () => {
    const { report, lines } = opened();
    report(new AggregateError([away, away, new Error("of another kind")], "several steps failed"));
    expect(lines.map((line) => line.split(" ").slice(1, 4).join(" "))).toEqual(["error The store", "error Error: of"]);
  });

  it("logs each other reason of an outage once, ten at most", async () => {
    const { report, lines } = opened();
    report(away);
    for (let turn = 0; turn < 3; turn += 1) report(new StoreUnavailable("Redis gives no decision"), "request-3");
    for (let reason = 0; reason < 20; reason += 1) report(new StoreUnavailable(`reason ${reason}`));
    expect(lines[1]).toBe(
      "2026-03-02T12:00:00.000Z error The store cannot serve either: Redis gives no decision. Request request-3.",
    );
    expect(lines).toHaveLength(10);
  });

  it("logs the next outage as well", async () => {
    const { report, lines, isReady, pass } = opened();
    isReady.mockResolvedValue(true);
    for (let outage = 0; outage < 2; outage += 1) {
      report(away);
      await pass(2);
    }
    expect(lines.map((line) => line.split(" ")[1])).toEqual(["error", "info", "error", "info"]);
  });

  it("looks for the end of an outage though the readiness check fails", async () => {
    const { report, lines, isReady, pass } = opened();
    isReady.mockRejectedValueOnce(new Error("no answer")).mockResolvedValue(true);
    report(away);
    await pass(3);
    expect(lines).toHaveLength(2);
  });

  it("logs any other failure with its stack, during an outage too", async () => {
    const { report, lines } = opened();
    report(away);
    report(new TypeError("boom"), "request-2");
    expect(lines[1]).toMatch(/^2026-03-02T12:00:00\.000Z error TypeError: boom\n {4}at [\s\S]* Request request-2\.$/);
  });

  it("logs no end of an outage after a stop", async () => {
    const { report, stop, lines, isReady, pass } = opened();
    isReady.mockResolvedValue(true);
    report(away);
    stop();
    await pass(5);
    expect(lines).toHaveLength(1);
    expect(isReady).not.toHaveBeenCalled();
  });

  it("logs no end of an outage after a stop during the readiness check", async () => {
    const { report, stop, lines, isReady, pass } = opened();
    report(away);
    await pass(1);
    isReady.mockImplementationOnce(async () => {
      stop();
      return false;
    });
    await pass(5);
    expect(isReady).toHaveBeenCalledTimes(1);
    expect(lines).toHaveLength(1);
  });
});
