import { aDelivery, memoryStore } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { testDeliveryCommit } from "../../webhooks/endpoint-commits.js";
import { cancelWaiting, redeliverInSteps } from "./bounded-steps.js";

const SUBSCRIBER = { kind: "endpoint", id: "60" } as const;
const MOMENTS = { since: 0, now: 7, deadlineAt: 9 };

/** A store with so many deliveries of one subscriber, each in the same status. */
async function backlog(count: number, status: "pending" | "failed") {
  const store = memoryStore();
  for (let n = 1; n <= count; n += 1)
    await store.commit(testDeliveryCommit(aDelivery({ id: String(n), status, createdAt: n % 3 })));
  return store;
}

describe("cancelling what waits", () => {
  it.each([0, 999, 1_000, 2_001])("cancels all of %i waiting deliveries in steps of a thousand", async (count) => {
    const store = await backlog(count, "pending");
    const cancelling = vi.spyOn(store, "cancelDeliveries");
    await cancelWaiting(store, "1", SUBSCRIBER, 7);
    expect(await store.nextDueAt()).toBeNull();
    expect(cancelling.mock.calls.map(([, , , limit]) => limit)).toEqual(
      new Array(Math.floor(count / 1_000) + 1).fill(1_000),
    );
  });
});

describe("redelivering what was never delivered", () => {
  it.each([0, 999, 1_000, 2_001])("redelivers all of %i in steps of a thousand, with reports", async (count) => {
    const store = await backlog(count, "failed");
    const onStep = vi.fn();
    expect(await redeliverInSteps(store, "1", { subscriber: SUBSCRIBER, ...MOMENTS }, onStep)).toBe(count);
    expect(onStep).toHaveBeenCalledTimes(Math.floor(count / 1_000) + 1);
    const pending = await store.listDeliveries("1", { ...EVERYTHING, status: "pending" });
    expect(pending.total).toBe(count);
  });

  it("redelivery ends although the restarted deliveries fail again at once", async () => {
    const store = await backlog(2_500, "failed");
    const restart = { subscriber: SUBSCRIBER, ...MOMENTS };
    const restarted = await redeliverInSteps(
      store,
      "1",
      restart,
      () => void store.cancelDeliveries("1", SUBSCRIBER, 7, 9_999),
    );
    expect(restarted).toBe(2_500);
  });
});

const EVERYTHING = { subscriber: null, status: null, eventType: null, limit: 1, offset: 0 };
