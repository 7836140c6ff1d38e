import { describe, expect, it, vi } from "vitest";
import { connectionOf } from "./connection.js";
import { tellingOfWork } from "./work-signals.js";

/** A connection whose commits all succeed, and whoever is told of those that leave work. */
function watched() {
  const tell = vi.fn();
  const connection = connectionOf({
    session: { run: async () => [] },
    named: (sql) => sql,
    commit: async () => "written",
    assertOpen: () => {},
    repeatsReads: false,
  });
  return { tell, ...tellingOfWork(connection, tell) };
}

describe("what other processes are told of", () => {
  it.each([
    ["events that wait for their fan-out", "insert_budget", { events: [{ id: "1" }] }],
    ["a delivery that waits for a claim", "insert_deliveries", { deliveries: [{ lease_id: null }] }],
    ["a fan-out of which one delivery waits", "fan_out", { deliveries: [{ lease_id: "held" }, { lease_id: null }] }],
    ["a delivery that is begun anew", "restart_delivery", {}],
    ["one that is given back uncalled", "settle_deliveries", { attempt_number: null, next_attempt_at: 1 }],
  ])("is %s", async (_, call, argument) => {
    const { commit, tell } = watched();
    await commit(call, null, argument);
    expect(tell).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["a change without events", "insert_budget", { events: [] }],
    ["a fan-out whose deliveries are all under a lease", "fan_out", { deliveries: [{ lease_id: "held" }] }],
    ["an attempt", "settle_deliveries", { attempt_number: 1, next_attempt_at: 1 }],
    ["the end of what was cancelled", "settle_deliveries", { attempt_number: null, next_attempt_at: null }],
  ])("is not %s", async (_, call, argument) => {
    const { commit, tell } = watched();
    await commit(call, null, argument);
    expect(tell).not.toHaveBeenCalled();
  });
});
