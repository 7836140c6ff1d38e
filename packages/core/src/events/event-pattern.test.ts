import { describe, expect, it } from "vitest";
import { EVENT_TYPES } from "./event.js";
import { coversType, EVENT_WILDCARDS } from "./event-pattern.js";

const covered = (...patterns: Parameters<typeof coversType>[0] & {}) =>
  EVENT_TYPES.filter((type) => coversType(patterns, type));

describe("patterns of event names", () => {
  it("an event pattern covers a group, or an act in every group", () => {
    expect(covered("customer.*")).toEqual(["customer.created", "customer.updated", "customer.deleted"]);
    expect(covered("*.deleted")).toEqual(["budget.deleted", "customer.deleted", "product.deleted"]);
    expect(covered("budget.approved", "*.created")).toEqual([
      "budget.created",
      "budget.approved",
      "customer.created",
      "product.created",
    ]);
    expect(covered()).toEqual([]);
    expect(EVENT_TYPES.filter((type) => coversType(null, type))).toEqual(EVENT_TYPES);
  });

  it("event patterns exist for each group, and for each act that several groups share", () => {
    const parts = EVENT_TYPES.map((type) => type.split("."));
    const groups = new Set(parts.map(([group]) => `${group}.*`));
    const acts = parts.map(([, act]) => `*.${act}`);
    const shared = new Set(acts.filter((act, index) => acts.indexOf(act) !== index));
    expect(new Set(EVENT_WILDCARDS)).toEqual(new Set([...groups, ...shared]));
  });
});
