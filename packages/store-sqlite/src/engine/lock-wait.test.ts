import { StoreUnavailable } from "@budgetkit/core/store";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { retryAtStart, retryWhileLocked } from "./lock-wait.js";

const locked = new BetterSqlite3.SqliteError("database is locked", "SQLITE_BUSY");

/** Work that finds the lock taken so many times. */
function lockedFor(times: number) {
  let attempts = 0;
  return vi.fn(() => {
    attempts += 1;
    if (attempts <= times) throw locked;
    return "done";
  });
}

describe("waiting for a lock with the event loop free", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("retryWhileLocked does not wait where there is no lock", async () => {
    const work = lockedFor(0);
    const outcome = retryWhileLocked(work);
    expect(work).toHaveBeenCalledTimes(1);
    expect(await outcome).toBe("done");
  });

  it("retryWhileLocked tries again at every pause, and no oftener", async () => {
    const work = lockedFor(15);
    const outcome = retryWhileLocked(work);
    await vi.advanceTimersByTimeAsync(15 * 20 - 1);
    expect(work).toHaveBeenCalledTimes(15);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe("done");
  });

  it("retryWhileLocked makes the store unavailable after five seconds, and not before (StoreUnavailable)", async () => {
    const work = lockedFor(Number.POSITIVE_INFINITY);
    const settled = vi.fn();
    const failure = retryWhileLocked(work).catch((error: unknown) => {
      settled();
      return error;
    });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toBeInstanceOf(StoreUnavailable);
    expect(await failure).toHaveProperty("cause", locked);
  });

  it("retryWhileLocked rethrows any other failure at once", async () => {
    const failure = new Error("a fault of the statement");
    const work = vi.fn(() => {
      throw failure;
    });
    await expect(retryWhileLocked(work)).rejects.toBe(failure);
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe("insisting on a lock at the start", () => {
  it("insisting on a lock at the start tries again until it gets the lock", () => {
    expect(retryAtStart(lockedFor(2))).toBe("done");
  });

  it("insisting on a lock at the start makes the store unavailable after five seconds (StoreUnavailable)", () => {
    const now = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValueOnce(4_999).mockReturnValue(5_000);
    const work = lockedFor(Number.POSITIVE_INFINITY);
    expect(() => retryAtStart(work)).toThrow(StoreUnavailable);
    expect(work).toHaveBeenCalledTimes(2);
    now.mockRestore();
  });

  it("insisting on a lock at the start rethrows any other failure at once", () => {
    const failure = new Error("a fault of the statement");
    const work = () => {
      throw failure;
    };
    expect(() => retryAtStart(work)).toThrow(failure);
  });
});
