import { manualClock, memoryStore } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { createBudgetService } from "./create-service.js";
import { DAY_MS, MINUTE_MS } from "./kernel/clock.js";
import { StoreUnavailable } from "./kernel/problem.js";

/** Businesses with an old entry each. Only the ledger of the last can be read. */
async function world(error: Error, names: readonly string[] = ["Norte", "Sur"]) {
  const clock = manualClock();
  const store = memoryStore();
  const { readLedger, findAgedLedgers: findAged } = store;
  const reads = vi.spyOn(store, "findAgedLedgers");
  const errors: string[] = [];
  const onError = (reported: unknown) => errors.push(String(reported));
  const service = createBudgetService({ store, clock, secret: "a secret for tests that is long enough", onError });
  const ids: string[] = [];
  for (const name of names) {
    ids.push((await service.businesses.create({ name }))._unsafeUnwrap().id);
    clock.advance(1);
  }
  const [faulty, sound] = [ids[0], ids.at(-1)];
  vi.spyOn(store, "readLedger").mockImplementation((businessId, page) =>
    businessId === sound ? readLedger(businessId, page) : Promise.reject(error),
  );
  clock.advance(40 * DAY_MS);
  const firstKept = async () => (await store.findLedgerBounds(sound ?? "")).start?.sequence;
  return { clock, service, reads, findAged, errors, faulty, firstKept };
}

describe("retention of ledgers", () => {
  it("retention goes on to other ledgers where one cannot be read, which is reported once", async () => {
    const { clock, service, errors, faulty, firstKept } = await world(new SyntaxError("no JSON"));
    await service.tick();
    clock.advance(DAY_MS);
    await service.tick();
    expect(await firstKept()).toBe(1);
    expect(errors).toEqual([`Error: ledger of the business ${faulty}: cannot be pruned: SyntaxError: no JSON`]);
  });

  it("retention rests for ten minutes once only a faulty ledger has old entries", async () => {
    const { clock, service, reads } = await world(new SyntaxError("no JSON"));
    await service.tick();
    reads.mockClear();
    clock.advance(10 * MINUTE_MS - 1);
    await service.tick();
    expect(reads).not.toHaveBeenCalled();
    clock.advance(1);
    await service.tick();
    expect(reads).toHaveBeenCalled();
  });

  it("retention reaches a sound ledger behind more faulty ones than fit a round, reports each once, and rests", async () => {
    const names = Array.from({ length: 46 }, (_, index) => `Norte ${index}`);
    const { clock, service, reads, findAged, errors, firstKept } = await world(new SyntaxError("no JSON"), names);
    reads.mockImplementation((before, _limit, without) => findAged(before, 1, without)); // as if a page held one ledger
    await service.tick();
    expect(await firstKept()).toBeUndefined();
    await service.tick();
    expect(await firstKept()).toBe(1);
    reads.mockClear();
    await service.tick();
    expect(reads).not.toHaveBeenCalled();
    clock.advance(10 * MINUTE_MS);
    await service.tick();
    expect(reads).toHaveBeenCalledWith(expect.anything(), expect.anything(), []); // all are verified again
    expect([errors.length, new Set(errors).size]).toEqual([45, 45]);
  });

  it("retention fails while the store cannot serve, without blaming a ledger", async () => {
    const { service } = await world(new StoreUnavailable("away"));
    await expect(service.tick()).rejects.toThrow("away");
  });
});
