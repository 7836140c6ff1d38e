import { manualClock, memoryStore } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { createBudgetService } from "./create-service.js";
import { DAY_MS, MINUTE_MS } from "./kernel/clock.js";
import { StoreUnavailable } from "./kernel/problem.js";

/** Two businesses with an old entry each. The ledger of the first cannot be read. */
async function world(error: Error) {
  const clock = manualClock();
  const store = memoryStore();
  const { readLedger } = store;
  const reads = vi.spyOn(store, "findAgedLedgers");
  const errors: string[] = [];
  const onError = (reported: unknown) => errors.push(String(reported));
  const service = createBudgetService({ store, clock, secret: "a secret for tests that is long enough", onError });
  const [faulty, sound] = await Promise.all(
    ["Norte", "Sur"].map(async (name) => (await service.businesses.create({ name }))._unsafeUnwrap().id),
  );
  vi.spyOn(store, "readLedger").mockImplementation((businessId, page) =>
    businessId === faulty ? Promise.reject(error) : readLedger(businessId, page),
  );
  clock.advance(40 * DAY_MS);
  const firstKept = async () => (await store.findLedgerBounds(sound ?? "")).start?.sequence;
  return { clock, service, reads, errors, faulty, firstKept };
}

describe("retention of ledgers", () => {
  it("removes the entries of the other businesses where one ledger cannot be read, which is reported once", async () => {
    const { clock, service, errors, faulty, firstKept } = await world(new SyntaxError("no JSON"));
    await service.tick();
    clock.advance(DAY_MS);
    await service.tick();
    expect(await firstKept()).toBe(1);
    expect(errors).toEqual([`Error: ledger of the business ${faulty}: cannot be pruned: SyntaxError: no JSON`]);
  });

  it("rests for ten minutes once only a faulty ledger has old entries", async () => {
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

  it("fails while the store cannot serve, which is no fault of a ledger", async () => {
    const { service } = await world(new StoreUnavailable("away"));
    await expect(service.tick()).rejects.toThrow("away");
  });
});
