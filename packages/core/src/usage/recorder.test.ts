import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../kernel/clock.js";
import { type AnsweredRequest, createUsageRecorder } from "./recorder.js";
import { addCounts, type UsageRow } from "./usage.js";

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

/** Sums the added rows by name. */
function countingStore() {
  const rows = new Map<string, UsageRow>();
  return {
    addUsage: async (added: readonly UsageRow[]) => {
      for (const row of added) {
        const name = [row.businessId, row.keyId, row.grain, row.at, row.method, row.path].join(" ");
        const present = rows.get(name);
        rows.set(name, present === undefined ? row : { ...row, ...addCounts(present, row) });
      }
    },
    rows: (grain: UsageRow["grain"], keyId: string | null): UsageRow[] =>
      [...rows.values()]
        .filter((row) => row.grain === grain && row.keyId === keyId)
        .sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1)),
  };
}

function recorderOf(flushIntervalMs = 5_000) {
  const store = countingStore();
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

  const minutesIn = (store: ReturnType<typeof countingStore>, keyId: string | null = "20") =>
    store.rows("minute", keyId);

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
    expect(minutesIn(store)).toMatchObject([
      { at: NOON, path: LIST.path, requests: 5, errors: 3, refusals: 1, durationUs: 6_000 },
      { at: NOON, path: READ.path, requests: 1, errors: 0 },
      { at: NOON + MINUTE_MS, path: LIST.path, requests: 1, durationUs: 0 },
    ]);
    expect(minutesIn(store, "21")[0]?.requests).toBe(1);
    expect(minutesIn(store, null).reduce((sum, { requests }) => sum + requests, 0)).toBe(8);
  });

  it("rolls up usage by hour and day, and by hour for all routes", async () => {
    const { store, recorder } = recorderOf();
    for (const at of [NOON, NOON + 59 * MINUTE_MS, NOON + HOUR_MS, NOON + 12 * HOUR_MS]) {
      recorder.record(request({ at }));
      recorder.record(request({ at, route: READ }));
    }
    await recorder.flush();
    const counts = (grain: UsageRow["grain"]) =>
      store.rows(grain, "20").map(({ at, path, requests }) => [(at - NOON) / HOUR_MS, path, requests]);
    expect(counts("hour-total")).toEqual([
      [0, "", 4],
      [1, "", 2],
      [12, "", 2],
    ]);
    expect(counts("hour")).toHaveLength(6);
    expect(counts("day")).toEqual([
      [-12, LIST.path, 3],
      [-12, READ.path, 3],
      [12, LIST.path, 1],
      [12, READ.path, 1],
    ]);
  });

  it("writes usage after the interval without being started", async () => {
    const { store, recorder } = recorderOf(3_000);
    recorder.record(request());
    await vi.advanceTimersByTimeAsync(2_999);
    expect(minutesIn(store)).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(minutesIn(store)[0]?.requests).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
    recorder.record(request());
    await vi.advanceTimersByTimeAsync(3_000);
    expect(minutesIn(store)[0]?.requests).toBe(2);
  });

  it("keeps usage that could not be written, includes it in reads, and tries again", async () => {
    const { store, recorder, onError } = recorderOf(3_000);
    const addUsage = vi.spyOn(store, "addUsage").mockImplementationOnce(async () => {
      recorder.record(request()); // meanwhile, of the same minute
      recorder.record(request({ route: READ }));
      throw new Error("disk full");
    });
    recorder.record(request());
    expect(await recorder.flush()).toMatchObject([{ keyId: "20", route: LIST, counts: { requests: 1 } }]);
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error("disk full"));
    expect(minutesIn(store)).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(addUsage).toHaveBeenCalledTimes(2);
    expect(minutesIn(store).map(({ requests }) => requests)).toEqual([2, 1]);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it("writes the usage of many keys early, in pieces, and loses none when one of them fails", async () => {
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
    expect(minutesIn(store, null)[0]?.requests).toBe(500);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(minutesIn(store, null)[0]?.requests).toBe(2_000);
  });

  it("keeps a bounded number of minutes while nothing can be written, and reports how many requests it lost", async () => {
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
    const [kept] = minutesIn(store, null);
    expect(kept?.requests).toBeGreaterThanOrEqual(20_000);
    expect(kept?.requests).toBeLessThanOrEqual(40_000);
  });

  it.each([0, -1, Number.NaN])("refuses a usage interval of %s", (flushIntervalMs) => {
    expect(() => recorderOf(flushIntervalMs)).toThrow(RangeError);
  });
});
