import { describe, expect, it } from "vitest";
import { leavesWork } from "./work-signals.js";

describe("work that other processes are notified of", () => {
  it.each([
    ["events that wait for their fan-out", "insert_budget", { events: [{ id: "1" }] }],
    ["a delivery that waits for a claim", "add_deliveries", { deliveries: [{ lease_id: null }] }],
    [
      "a fan-out with a delivery that waits",
      "add_deliveries",
      { deliveries: [{ lease_id: "held" }, { lease_id: null }] },
    ],
    ["a delivery that is redelivered", "restart_delivery", {}],
    ["deliveries that are redelivered", "restart_undelivered", null],
    [
      "a delivery that is due again with a refunded attempt",
      "settle_deliveries",
      { settlements: [{ attempt_number: null, next_attempt_at: 1 }] },
    ],
  ])("is %s", (_, call, argument) => {
    expect(leavesWork(call, argument)).toBe(true);
  });

  it.each([
    ["a change without events", "insert_budget", { events: [] }],
    ["a fan-out whose deliveries all have a lease", "add_deliveries", { deliveries: [{ lease_id: "held" }] }],
    ["an attempt", "settle_deliveries", { settlements: [{ attempt_number: 1, next_attempt_at: 1 }] }],
    [
      "the end of a cancelled delivery",
      "settle_deliveries",
      { settlements: [{ attempt_number: null, next_attempt_at: null }] },
    ],
    ["a change without deliveries", "cancel_deliveries", null],
  ])("is not %s", (_, call, argument) => {
    expect(leavesWork(call, argument)).toBe(false);
  });
});
