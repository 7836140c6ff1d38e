import { aDelivery } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { isPending } from "../../testing/is-pending.js";
import { ConcurrencySlots } from "./concurrency-slots.js";

const to = (id: string, businessId = "1") => aDelivery({ businessId, subscriber: { kind: "endpoint", id } });
const slotsOf = (total: number, perBusiness: number, perSubscriber: number) =>
  new ConcurrencySlots({ total, perBusiness, perSubscriber });

describe("concurrency slots", () => {
  it("are limited in all, for a business and for a subscriber", async () => {
    const slots = slotsOf(4, 3, 2);
    void slots.enter(to("60"));
    expect([slots.hasRoomFor(to("60")), slots.isShareFull()]).toEqual([true, false]);
    const free = await slots.enter(to("60"));
    expect([slots.hasRoomFor(to("60")), slots.hasRoomFor(to("61")), slots.isShareFull()]).toEqual([false, true, true]);
    void slots.enter(to("61"));
    expect([slots.hasRoomFor(to("62")), slots.hasRoomFor(to("60", "2"))]).toEqual([false, true]);
    void slots.enter(to("60", "2"));
    expect(slots.hasRoomFor(to("60", "3"))).toBe(false);
    free();
    expect([slots.free, slots.hasRoomFor(to("60")), slots.isShareFull()]).toEqual([1, true, false]);
  });

  it("are freed once, however often that is asked", async () => {
    const slots = slotsOf(4, 3, 2);
    const free = await slots.enter(to("60"));
    void slots.enter(to("61"));
    free();
    free();
    expect([slots.free, slots.held, slots.freed]).toEqual([3, 1, 1]);
    expect(slots.sharesOfClaim().inFlight).toEqual([
      { businessId: "1", subscriber: { kind: "endpoint", id: "61" }, calls: 1 },
    ]);
  });

  it("are reported to a claim as they were when it began", async () => {
    const slots = slotsOf(4, 3, 2);
    const free = await slots.enter(to("60"));
    const { inFlight } = slots.sharesOfClaim();
    free();
    void slots.enter(to("61"));
    expect(inFlight).toEqual([{ businessId: "1", subscriber: { kind: "endpoint", id: "60" }, calls: 1 }]);
  });
});

describe("a delivery without room", () => {
  it("waits, and starts in its turn", async () => {
    const slots = slotsOf(1, 1, 1);
    const free = await slots.enter(to("60"));
    const second = slots.enter(to("61"));
    const third = slots.enter(to("62"));
    expect([slots.free, slots.waiting, slots.held]).toEqual([0, 2, 3]);
    free();
    const freeSecond = await second;
    expect(await isPending(third)).toBe(true);
    freeSecond();
    (await third)();
    expect([slots.free, slots.waiting, slots.held]).toEqual([1, 0, 0]);
  });

  it("lets others pass where its subscriber or its business has no free slot", async () => {
    const slots = slotsOf(3, 2, 1);
    const free = await slots.enter(to("60"));
    const again = slots.enter(to("60"));
    void slots.enter(to("61"));
    const ofFullBusiness = slots.enter(to("62"));
    const other = slots.enter(to("60", "2"));
    expect(await isPending(other)).toBe(false);
    expect([await isPending(again), await isPending(ofFullBusiness)]).toEqual([true, true]);
    free();
    expect([await isPending(again), await isPending(ofFullBusiness)]).toEqual([false, true]);
  });

  it("counts for the shares of a claim, and shows that more may be waiting", () => {
    const slots = slotsOf(2, 2, 1);
    void slots.enter(to("60"));
    void slots.enter(to("60"));
    expect(slots.isShareFull()).toBe(true);
    expect(slots.sharesOfClaim().inFlight).toMatchObject([{ subscriber: { id: "60" }, calls: 2 }]);
  });

  it("is let go when the process stops", async () => {
    const slots = slotsOf(1, 1, 1);
    void slots.enter(to("60"));
    const waiting = slots.enter(to("61"));
    slots.release();
    (await waiting)();
    expect([slots.waiting, slots.held]).toEqual([0, 1]);
  });
});

describe("what a claim takes ahead", () => {
  it("is nothing before calls have ended, then as many as have since the claim before the last", async () => {
    const slots = slotsOf(4, 4, 3);
    const end = async (calls: number) => {
      for (let call = 0; call < calls; call += 1) (await slots.enter(to("60")))();
    };
    expect([slots.ahead, slots.sharesOfClaim()]).toMatchObject([0, { perBusiness: 4, perSubscriber: 3 }]);
    await end(2);
    expect([slots.ahead, slots.sharesOfClaim()]).toMatchObject([2, { perBusiness: 6, perSubscriber: 5 }]);
    await end(1);
    expect([slots.ahead, slots.sharesOfClaim()]).toMatchObject([3, { perBusiness: 7, perSubscriber: 6 }]);
    expect(slots.ahead).toBe(1);
    await end(9);
    expect([slots.ahead, slots.sharesOfClaim()]).toMatchObject([4, { perBusiness: 8, perSubscriber: 6 }]);
    slots.sharesOfClaim();
    expect(slots.ahead).toBe(0);
  });
});
