import { TRANSITIONS } from "@budgetkit/core";
import { describe, expect, it } from "vitest";
import { nextStatus } from "./budget-moves.js";

const EXPORTED = ["DRAFT", "PENDING", "APPROVED", "REJECTED", "EXPIRED", "COMPLETED", "ARCHIVED"] as const;

describe("the way of a budget to its status", () => {
  it.each(EXPORTED)("leads a new one to %s, by moves that there are", (target) => {
    let status: (typeof EXPORTED)[number] = target === "DRAFT" ? "DRAFT" : "PENDING";
    for (let next = nextStatus(status, target); next !== null; next = nextStatus(status, target)) {
      const from = status;
      expect(TRANSITIONS.some((move) => move.from === from && move.to === next)).toBe(true);
      status = EXPORTED.find((each) => each === next) ?? "DRAFT";
    }
    expect(status).toBe(target);
  });

  it("goes through a renewal where time has passed", () => {
    expect(nextStatus("EXPIRED", "APPROVED")).toBe("PENDING");
  });

  it.each([
    ["COMPLETED", "APPROVED"],
    ["APPROVED", "PENDING"],
    ["PENDING", "DRAFT"],
  ] as const)("does not lead back from %s to %s", (from, to) => {
    expect(nextStatus(from, to)).toBeNull();
  });
});
