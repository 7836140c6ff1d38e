import { TRANSITIONS } from "@budgetkit/core";
import { describe, expect, it } from "vitest";
import { nextStatus } from "./budget-moves.js";

const EXPORTED = ["DRAFT", "PENDING", "APPROVED", "REJECTED", "EXPIRED", "COMPLETED", "ARCHIVED"] as const;

describe("the way of a budget to its status", () => {
  it.each(EXPORTED)("leads a new imported budget to %s, by moves that exist", (target) => {
    let status: (typeof EXPORTED)[number] = target === "DRAFT" ? "DRAFT" : "PENDING";
    for (let next = nextStatus(status, target); next !== null; next = nextStatus(status, target)) {
      const from = status;
      expect(TRANSITIONS.some((move) => move.from === from && move.to === next)).toBe(true);
      status = EXPORTED.find((each) => each === next) ?? "DRAFT";
    }
    expect(status).toBe(target);
  });

  it("renews an imported budget whose time has passed, on the way to its status", () => {
    expect(nextStatus("EXPIRED", "APPROVED")).toBe("PENDING");
  });

  it.each([
    ["COMPLETED", "APPROVED"],
    ["APPROVED", "PENDING"],
    ["PENDING", "DRAFT"],
  ] as const)("leads no imported budget back from %s to %s", (from, to) => {
    expect(nextStatus(from, to)).toBeNull();
  });
});
