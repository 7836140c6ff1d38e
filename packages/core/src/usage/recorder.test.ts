import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../kernel/clock.js";
import { memoryStore } from "../testing/memory-store/index.js";
import { type AnsweredRequest, createUsageRecorder } from "./recorder.js";
import type { UsageRow } from "./usage.js";

const NOON = Date.UTC(2026, 2, 2, 12);
const LIST = { method: "GET", path: "/api/public/budgets" };
const READ = { method: "GET", path: "/api/public/budgets/{budgetId}" };

function request(overrides: Partial<AnsweredRequest> = {}): AnsweredRequest {
  return {
    businessId: "1",
    keyId: "20",
    route: LIST,
    at: NOON,
    status: 200,
    isRefusal: false,
    durationMs: 1.5,
    ...overrides,
  };
}

function recorderOf(flushIntervalMs = 5_000) {
  const store = memoryStore();
  const onError = vi.fn();
  return { store, onError, recorder: createUsageRecorder({ store, flushIntervalMs, onError }) };
}

describe("the recorder of usage", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function minutesIn(store: ReturnType<typeof memoryStore>, keyId: string | null = "20"): Promise<UsageRow[]> {
    const rows = await store.findUsage("1", keyId, [{ grain: "minute", from: 0, until: NOON + DAY_MS }]);
    return [...rows].sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1));
  }

  it("counts requests, errors, refusals and time by key, minute and route", async () => {
    const { store, recorder } = recorderOf();
    recorder.record(request());
    recorder.record(request({ at: NOON + MINUTE_MS - 1, status: 399, durationMs: 0.0004 }));
    recorder.record(request({ status: 400 }));
    recorder.record(request({ status: 429, isRefusal: true }));
    recorder.record(request({ status: 429 })); // by another limit than the key's
    recorder.record(request({ at: NOON + MINUTE_MS, durationMs: -1 }));
    recorder.record(request({ route: READ }));
    recorder.record(request({ keyId: "21" }));
    expect(await recorder.flush()).toEqual([]);
    expect(await minutesIn(store)).toMatchObject([
      { at: NOON, path: LIST.path, requests: 5, errors: 3, refusals: 1, durationUs: 6_000 },
      { at: NOON, path: READ.path, requests: 1, errors: 0 },
      { at: NOON + MINUTE_MS, path: LIST.path, requests: 1, durationUs: 0 },
    ]);
    expect((await minutesIn(store, "21"))[0]?.requests).toBe(1);
    expect((await minutesIn(store, null)).reduce((sum, { requests }) => sum + requests, 0)).toBe(8);
  });

  it("rolls up by hour and day, and by hour for all routes", async () => {
    const { store, recorder } = recorderOf();
    for (const at of [NOON, NOON + 59 * MINUTE_MS, NOON + HOUR_MS, NOON + 12 * HOUR_MS]) {
      recorder.record(request({ at }));
      recorder.record(request({ at, route: READ }));
    }
    await recorder.flush();
    const counts = async (grain: UsageRow["grain"]) => {
      const rows = await store.findUsage("1", "20", [{ grain, from: 0, until: NOON + 2 * DAY_MS }]);
      return rows.map(({ at, path, requests }) => [(at - NOON) / HOUR_MS, path, requests]);
    };
    expect(await counts("hour-total")).toEqual([
      [0, "", 4],
      [1, "", 2],
      [12, "", 2],
    ]);
    expect(await counts("hour")).toHaveLength(6);
    expect(await counts("day")).toEqual([
      [-12, LIST.path, 3],
      [-12, READ.path, 3],
      [12, LIST.path, 1],
      [12, READ.path, 1],
    ]);
  });

  it("writes by itself after the interval, without having been started", async () => {
    const { store, recorder } = recorderOf(3_000);
    recorder.record(request());
    await vi.advanceTimersByTimeAsync(2_999);
    expect(await minutesIn(store)).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect((await minutesIn(store))[0]?.requests).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
    recorder.record(request());
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await minutesIn(store))[0]?.requests).toBe(2);
  });

  it("keeps what could not be written, gives it back, and tries again", async () => {
    const { store, recorder, onError } = recorderOf(3_000);
    const addUsage = vi.spyOn(store, "addUsage").mockImplementationOnce(async () => {
      recorder.record(request()); // meanwhile, of the same minute
      recorder.record(request({ route: READ }));
      throw new Error("disk full");
    });
    recorder.record(request());
    expect(await recorder.flush()).toMatchObject([{ keyId: "20", route: LIST, counts: { requests: 1 } }]);
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error("disk full"));
    expect(await minutesIn(store)).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(addUsage).toHaveBeenCalledTimes(2);
    expect((await minutesIn(store)).map(({ requests }) => requests)).toEqual([2, 1]);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it("writes early what many keys have made, in pieces, and loses none when one of them fails", async () => {
    const { store, recorder, onError } = recorderOf();
    let calls = 0;
    const write = store.addUsage;
    vi.spyOn(store, "addUsage").mockImplementation(async (rows) => {
      calls += 1;
      if (calls === 3) throw new Error("locked");
      return write(rows);
    });
    for (let key = 0; key < 2_000; key += 1) recorder.record(request({ keyId: String(1_000 + key) }));
    await vi.advanceTimersByTimeAsync(0);
    expect(onError).toHaveBeenCalledTimes(1);
    expect((await minutesIn(store, null))[0]?.requests).toBe(500);
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await minutesIn(store, null))[0]?.requests).toBe(2_000);
  });

  it("keeps no more than so many minutes while nothing can be written, and says how many requests it lost", async () => {
    const { store, recorder, onError } = recorderOf();
    const failing = vi.spyOn(store, "addUsage").mockRejectedValue(new Error("away"));
    for (let key = 0; key < 20_010; key += 1) recorder.record(request({ keyId: String(1_000 + key) }));
    await vi.advanceTimersByTimeAsync(0);
    for (let key = 0; key < 20_010; key += 1) recorder.record(request({ keyId: String(100_000 + key) }));
    const attempts = failing.mock.calls.length;
    expect(attempts).toBeLessThan(20);
    failing.mockRestore();
    await recorder.flush();
    expect(onError).toHaveBeenLastCalledWith(expect.objectContaining({ message: expect.stringContaining("is lost") }));
    const [kept] = await minutesIn(store, null);
    expect(kept?.requests).toBeGreaterThanOrEqual(20_000);
    expect(kept?.requests).toBeLessThanOrEqual(40_000);
  });

  it.each([0, -1, Number.NaN])("refuses an interval of %s", (flushIntervalMs) => {
    expect(() => recorderOf(flushIntervalMs)).toThrow(RangeError);
  });
});
