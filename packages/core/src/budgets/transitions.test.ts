import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUDGET_STATUSES } from "./budget.js";
import { availableActionsOf, findTransition, isEditable, TRANSITIONS, type Trigger } from "./transitions.js";

describe("the moves of a budget", () => {
  it.each([
    ["DRAFT", "PENDING", "update"],
    ["DRAFT", "PENDING", "submit"],
    ["PENDING", "APPROVED", "update"],
    ["PENDING", "APPROVED", "link"],
    ["PENDING", "APPROVED", "payment"],
    ["PENDING", "REJECTED", "update"],
    ["PENDING", "REJECTED", "link"],
    ["PENDING", "EXPIRED", "update"],
    ["PENDING", "EXPIRED", "time"],
    ["PENDING", "DRAFT", "withdraw"],
    ["REJECTED", "PENDING", "update"],
    ["EXPIRED", "PENDING", "update"],
    ["APPROVED", "COMPLETED", "complete"],
    ["APPROVED", "PENDING", "reopen"],
    ["COMPLETED", "ARCHIVED", "archive"],
  ] as const)("lead from %s to %s by %s", (from, to, by) => {
    expect(findTransition(from, to, by).isOk()).toBe(true);
  });

  it("are those fifteen and no others, and a refusal names the ones that are allowed", () => {
    const triggers: Trigger[] = [
      "update",
      "submit",
      "withdraw",
      "reopen",
      "complete",
      "archive",
      "link",
      "payment",
      "time",
    ];
    const state = fc.constantFrom(...BUDGET_STATUSES);
    fc.assert(
      fc.property(state, state, fc.constantFrom(...triggers), (from, to, by) => {
        const found = findTransition(from, to, by);
        const listed = TRANSITIONS.some((move) => move.from === from && move.to === to && move.by.includes(by));
        expect(found.isOk()).toBe(listed);
        if (found.isOk()) return;
        expect(found.error).toMatchObject({
          rule: "INVALID_TRANSITION",
          details: { from, to, allowed: TRANSITIONS.filter((move) => move.from === from).map((move) => move.to) },
        });
      }),
      { numRuns: 2_000 },
    );
    expect(TRANSITIONS.flatMap((move) => move.by)).toHaveLength(15);
  });

  it("are offered by name, with what else may be done", () => {
    expect(availableActionsOf("PENDING")).toEqual([
      "update",
      "approve",
      "reject",
      "expire",
      "withdraw",
      "duplicate",
      "delete",
    ]);
    expect(availableActionsOf("APPROVED")).toEqual(["complete", "reopen", "duplicate", "delete"]);
    expect(availableActionsOf("ARCHIVED")).toEqual(["duplicate", "delete"]);
    expect(availableActionsOf("DELETED")).toEqual(["restore"]);
  });

  it("leave the content open to change in DRAFT and PENDING only", () => {
    expect(BUDGET_STATUSES.filter(isEditable)).toEqual(["DRAFT", "PENDING"]);
  });
});
