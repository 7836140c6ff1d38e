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
    const { free } = await slots.enter(to("60"));
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
    const { free } = await slots.enter(to("60"));
    void slots.enter(to("61"));
    free();
    free();
    expect([slots.free, slots.held]).toEqual([3, 1]);
    expect(slots.beginClaim().inFlight).toContainEqual({
      businessId: "1",
      subscriber: { kind: "endpoint", id: "61" },
      calls: 1,
    });
  });

  it("are reported to a claim as they were when it began", async () => {
    const slots = slotsOf(4, 3, 2);
    const { free } = await slots.enter(to("60"));
    const { inFlight } = slots.beginClaim();
    free();
    void slots.enter(to("61"));
    expect(inFlight).toEqual([{ businessId: "1", subscriber: { kind: "endpoint", id: "60" }, calls: 1 }]);
  });
});

describe("a delivery without room", () => {
  it("waits, and starts in its turn", async () => {
    const slots = slotsOf(1, 1, 1);
    const { free } = await slots.enter(to("60"));
    const second = slots.enter(to("61"));
    const third = slots.enter(to("62"));
    expect([slots.free, slots.waiting, slots.held]).toEqual([0, 2, 3]);
    free();
    const { free: freeSecond } = await second;
    expect(await isPending(third)).toBe(true);
    freeSecond();
    (await third).free();
    expect([slots.free, slots.waiting, slots.held]).toEqual([1, 0, 0]);
  });

  it("lets others pass where its subscriber or its business has no free slot", async () => {
    const slots = slotsOf(3, 2, 1);
    const { free } = await slots.enter(to("60"));
    const again = slots.enter(to("60"));
    void slots.enter(to("61"));
    const ofFullBusiness = slots.enter(to("62"));
    const other = slots.enter(to("60", "2"));
    expect(await isPending(other)).toBe(false);
    expect([await isPending(again), await isPending(ofFullBusiness)]).toEqual([true, true]);
    free();
    expect([await isPending(again), await isPending(ofFullBusiness)]).toEqual([false, true]);
  });

  it("shows that more may be waiting", () => {
    const slots = slotsOf(2, 2, 2);
    for (const id of ["60", "61", "62"]) void slots.enter(to(id));
    expect(slots.isShareFull()).toBe(true);
  });

  it("is given back only when it still waits after its time, and called when a slot was free before", async () => {
    const slots = slotsOf(1, 1, 1);
    const { free } = await slots.enter(to("60"), 0);
    const [called, givenBack] = [slots.enter(to("61"), 0), slots.enter(to("62"), 0)];
    free();
    slots.release(1_001);
    expect([(await called).isForCall, (await givenBack).isForCall]).toEqual([true, false]);
  });

  it("is let go when the process stops", async () => {
    const slots = slotsOf(1, 1, 1);
    void slots.enter(to("60"));
    const waiting = slots.enter(to("61"));
    slots.release();
    const { isForCall, free } = await waiting;
    expect(isForCall).toBe(false);
    free();
    expect([slots.waiting, slots.held]).toEqual([0, 1]);
  });
});

describe("what a claim takes ahead", () => {
  const callsOf = (slots: ConcurrencySlots) => slots.beginClaim().inFlight.map(({ calls }) => calls);

  /** A claim that is at the store while so many calls end. */
  async function claimDuring(calls: number, slots: ConcurrencySlots): Promise<void> {
    slots.beginClaim();
    for (let call = 0; call < calls; call += 1) (await slots.enter(to("60"))).free();
    slots.endClaim();
  }

  it("is as many calls as have ended while the last two claims were at the store", async () => {
    const slots = slotsOf(4, 4, 3);
    for (const [calls, ahead] of [
      [0, 0],
      [1, 1],
      [2, 3],
      [9, 4],
      [0, 4],
      [0, 0],
    ] as const) {
      await claimDuring(calls, slots);
      expect([slots.ahead, slots.hasEndedInClaim]).toEqual([ahead, calls > 0]);
    }
    (await slots.enter(to("60"))).free();
    slots.beginClaim();
    expect(slots.ahead).toBe(0);
  });

  it("is for the subscribers whose calls have ended, at most their share", async () => {
    const slots = slotsOf(9, 9, 2);
    void slots.enter(to("61"));
    await claimDuring(5, slots);
    expect(slots.beginClaim()).toMatchObject({
      perBusiness: 9,
      perSubscriber: 2,
      inFlight: [
        { subscriber: { id: "61" }, calls: 1 },
        { subscriber: { id: "60" }, calls: -2 },
      ],
    });
    for (let held = 0; held < 4; held += 1) void slots.enter(to("60")); // two of them wait
    expect(callsOf(slots)).toEqual([1, 2]);
  });

  it("takes no slot of the others of a business once its receiver hangs", async () => {
    const slots = slotsOf(9, 4, 2);
    await claimDuring(5, slots);
    for (let held = 0; held < 4; held += 1) void slots.enter(to("60"));
    expect(slots.waiting).toBe(2);
    for (let claim = 0; claim < 2; claim += 1) await claimDuring(0, slots);
    expect(callsOf(slots)).toEqual([2]);
  });

  it("is forgotten with the subscribers that have no more calls", async () => {
    const slots = slotsOf(4, 4, 3);
    await claimDuring(1, slots);
    expect(callsOf(slots)).toEqual([-1]);
    slots.endClaim();
    slots.beginClaim();
    slots.endClaim();
    expect(callsOf(slots)).toEqual([]);
  });
});
