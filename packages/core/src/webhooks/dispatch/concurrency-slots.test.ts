import { aDelivery } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { ConcurrencySlots } from "./concurrency-slots.js";

const to = (id: string, businessId = "1") => aDelivery({ businessId, subscriber: { kind: "endpoint", id } });

describe("concurrency slots", () => {
  it("are limited in all, for a business and for a subscriber", () => {
    const slots = new ConcurrencySlots({ total: 4, perBusiness: 3, perSubscriber: 2 });
    slots.take(to("60"));
    expect([slots.hasRoomFor(to("60")), slots.isShareFull()]).toEqual([true, false]);
    const free = slots.take(to("60"));
    expect([slots.hasRoomFor(to("60")), slots.hasRoomFor(to("61")), slots.isShareFull()]).toEqual([false, true, true]);
    slots.take(to("61"));
    expect([slots.hasRoomFor(to("62")), slots.hasRoomFor(to("60", "2"))]).toEqual([false, true]);
    slots.take(to("60", "2"));
    expect(slots.hasRoomFor(to("60", "3"))).toBe(false);
    free();
    expect([slots.used, slots.hasRoomFor(to("60")), slots.isShareFull()]).toEqual([3, true, false]);
  });

  it("are freed once, however often that is asked", () => {
    const slots = new ConcurrencySlots({ total: 4, perBusiness: 3, perSubscriber: 2 });
    const free = slots.take(to("60"));
    slots.take(to("61"));
    free();
    free();
    expect([slots.used, slots.freed]).toEqual([1, 1]);
    expect(slots.inFlight()).toEqual([{ businessId: "1", subscriber: { kind: "endpoint", id: "61" }, calls: 1 }]);
  });

  it("are reported to a claim as they were when it began", () => {
    const slots = new ConcurrencySlots({ total: 4, perBusiness: 3, perSubscriber: 2 });
    const free = slots.take(to("60"));
    const inFlight = slots.inFlight();
    free();
    slots.take(to("61"));
    expect(inFlight).toEqual([{ businessId: "1", subscriber: { kind: "endpoint", id: "60" }, calls: 1 }]);
  });
});
