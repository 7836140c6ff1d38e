import { expect, it } from "vitest";
import { checkLimits, countFree, hasRoom, isAnyShareFull, isShareFull, type SlotUse } from "./concurrency-slots.js";

const LIMITS = { total: 4, perBusiness: 3, perSubscriber: 2 };

const to = (id: string, businessId = "1") => ({
  delivery: { businessId, subscriber: { kind: "endpoint", id } as const },
});

/** Slots in use by deliveries to these endpoints of the first business, and others. */
function useOf(ids: readonly string[], others: Partial<SlotUse> = {}): SlotUse {
  return { limits: LIMITS, reserved: [], calling: ids.map((id) => to(id)), ...others };
}

it("counts the free slots of the process, less those that commits have reserved", () => {
  expect(countFree(useOf([]))).toBe(4);
  expect(countFree(useOf(["60", "61"], { reserved: [to("60")] }))).toBe(1);
});

it.each([
  ["a free slot everywhere", ["60"], to("60"), true],
  ["a full subscriber", ["60", "60"], to("60"), false],
  ["another subscriber of the business", ["60", "60"], to("61"), true],
  ["a key with the id of a full endpoint", ["60", "60"], keyWithId("60"), true],
  ["a full business", ["60", "60", "61"], to("62"), false],
  ["another business, whose endpoint has the same id", ["60", "60", "61"], to("60", "2"), true],
  ["a full process", ["60", "60", "61", "61"], to("60", "3"), false],
] as const)("finds out whether there is room, with %s", (_, ids, delivery, expected) => {
  expect(hasRoom(useOf(ids), delivery)).toBe(expected);
});

it("counts reserved slots for the shares of a subscriber and its business", () => {
  const use = useOf(["60"], { reserved: [to("60"), to("61")] });
  expect([isShareFull(use, to("60")), isShareFull(use, to("62"))]).toEqual([true, true]);
});

it("reports a full subscriber and a full business, but not a full process", () => {
  expect(isAnyShareFull(useOf(["60", "61"]))).toBe(false);
  expect(isAnyShareFull(useOf(["60", "60"]))).toBe(true);
  expect(isAnyShareFull(useOf(["60", "61", "62"]))).toBe(true);
  expect(isAnyShareFull(useOf(["60"], { reserved: [to("60")] }))).toBe(true);
  const spread = { calling: ["1", "2", "3", "4"].map((business) => to("60", business)) };
  expect(isAnyShareFull(useOf([], spread))).toBe(false);
});

it.each(["total", "perBusiness", "perSubscriber"])("refuses a limit %s that is no whole number from 1", (name) => {
  for (const limit of [0, -1, 1.5, Number.NaN]) {
    const limits = { ...LIMITS, [name]: limit };
    expect(() => checkLimits(limits)).toThrow(`webhooks.concurrency.${name} must be a whole number from 1: ${limit}`);
  }
  checkLimits(LIMITS);
});

function keyWithId(id: string) {
  return { delivery: { businessId: "1", subscriber: { kind: "key", id } as const } };
}
