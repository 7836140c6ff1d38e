import fc from "fast-check";
import { expect, it } from "vitest";
import type { DueClaim } from "../webhook-store.js";
import { chooseFairly, type DueDelivery, freeSlots } from "./fair-claim.js";

function claim(changes: Partial<DueClaim>): DueClaim {
  return {
    lease: { token: "t", until: 1 },
    now: 0,
    limit: 10,
    perBusiness: 10,
    perSubscriber: 10,
    inFlight: [],
    ...changes,
  };
}

function due(businessId: string, id: number, dueAt = id, endpoint = "1"): DueDelivery {
  return { businessId, subscriber: { kind: "endpoint", id: endpoint }, id: String(id), dueAt };
}

function idsOf(deliveries: readonly DueDelivery[], changes: Partial<DueClaim> = {}): string[] {
  const made = claim(changes);
  return chooseFairly(deliveries, made.limit, freeSlots(made)).map(({ id }) => id);
}

const subscriber = { kind: "endpoint", id: "1" } as const;

it("claims the longest due first, and the lower id of equals", () => {
  expect(idsOf([due("1", 12, 5), due("1", 9, 5), due("1", 10, 4)])).toEqual(["10", "9", "12"]);
});

it("claims one delivery of each business before a second one of any", () => {
  expect(idsOf([due("1", 1), due("1", 2), due("1", 3), due("2", 4)], { limit: 2 })).toEqual(["1", "4"]);
});

it("counts the calls in flight of a business for its share of a claim", () => {
  const inFlight = [{ businessId: "1", subscriber, calls: 2 }];
  expect(idsOf([due("1", 1), due("2", 2), due("2", 3)], { limit: 2, inFlight })).toEqual(["2", "3"]);
});

it("leaves out deliveries that exceed the slots of a business or a subscriber", () => {
  expect(idsOf([due("1", 1), due("1", 2), due("1", 3)], { perBusiness: 2 })).toEqual(["1", "2"]);
  expect(idsOf([due("1", 1), due("1", 2), due("1", 3, 3, "2")], { perSubscriber: 1 })).toEqual(["1", "3"]);
  const inFlight = [{ businessId: "1", subscriber, calls: 3 }];
  expect(idsOf([due("1", 1), due("1", 2, 2, "2")], { perSubscriber: 2, inFlight })).toEqual(["2"]);
});

const deliveries = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 9 })), {
    maxLength: 40,
  })
  .map((drawn) =>
    drawn.map(([business, endpoint, dueAt], id) => due(String(business), id + 1, dueAt, String(endpoint))),
  );

const claims = fc
  .record({
    limit: fc.integer({ min: 1, max: 20 }),
    perBusiness: fc.integer({ min: 1, max: 8 }),
    perSubscriber: fc.integer({ min: 1, max: 5 }),
    calls: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 4, maxLength: 4 }),
  })
  .map(({ calls, ...limits }) =>
    claim({
      ...limits,
      inFlight: calls.map((count, index) => ({ businessId: String(index + 1), subscriber, calls: count })),
    }),
  );

it("keeps the limits of a claim, leaves no slot empty and gives no business a call that another one lacks", () => {
  fc.assert(
    fc.property(deliveries, claims, (all, made) => {
      const slots = freeSlots(made);
      const chosen = chooseFairly(all, made.limit, slots);
      const calls = (business: string) => chosen.filter(({ businessId }) => businessId === business).length;
      const ofSubscriber = (one: DueDelivery) =>
        chosen.filter((it) => it.businessId === one.businessId && it.subscriber.id === one.subscriber.id).length;
      for (const one of chosen) {
        expect(calls(one.businessId)).toBeLessThanOrEqual(slots.ofBusiness(one.businessId));
        expect(ofSubscriber(one)).toBeLessThanOrEqual(slots.ofSubscriber(one.businessId, one.subscriber));
      }
      expect(chosen.length).toBeLessThanOrEqual(made.limit);
      const refused = all.filter((one) => !chosen.includes(one));
      for (const one of refused) {
        const hasSlot =
          calls(one.businessId) < slots.ofBusiness(one.businessId) &&
          ofSubscriber(one) < slots.ofSubscriber(one.businessId, one.subscriber);
        if (!hasSlot) continue;
        expect(chosen).toHaveLength(made.limit);
        const own = slots.callsOf(one.businessId) + calls(one.businessId);
        for (const { businessId } of chosen) {
          if (businessId === one.businessId) continue;
          expect(slots.callsOf(businessId) + calls(businessId)).toBeLessThanOrEqual(own + 1);
        }
      }
    }),
  );
});
