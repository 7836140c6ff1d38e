import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Actor } from "../kernel/actor.js";
import { BUDGET_STATUSES } from "./budget.js";
import {
  actionsToEdit,
  availableActionsOf,
  findTransition,
  isEditable,
  TRANSITIONS,
  type Trigger,
} from "./transitions.js";

const system: Actor = { kind: "system", businessId: "1" };

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
  ] as const)("allows the transition from %s to %s by %s", (from, to, by) => {
    expect(findTransition(from, to, by).isOk()).toBe(true);
  });

  it("refuses every other transition and lists the allowed ones (INVALID_TRANSITION)", () => {
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
        const open = TRANSITIONS.filter((move) => move.from === from && (by !== "link" || move.by.includes("link")));
        expect(found.error).toMatchObject({
          rule: "INVALID_TRANSITION",
          details: { from, to, allowed: open.map((move) => move.to), actions: open.map((move) => move.action) },
        });
      }),
      { numRuns: rounds({ small: 500, full: 2_000 }) },
    );
    expect(TRANSITIONS.flatMap((move) => move.by)).toHaveLength(15);
  });

  it("offers each status its transitions by name, with the other available actions", () => {
    const offered = (status: (typeof BUDGET_STATUSES)[number]) => availableActionsOf(status, system);
    expect(offered("PENDING")).toEqual([
      "update",
      "approve",
      "reject",
      "expire",
      "withdraw",
      "share",
      "duplicate",
      "delete",
    ]);
    expect(offered("APPROVED")).toEqual(["complete", "reopen", "share", "duplicate", "delete"]);
    expect(offered("ARCHIVED")).toEqual(["share", "duplicate", "delete"]);
    expect(offered("DELETED")).toEqual(["restore"]);
  });

  it.each<[who: string, mayAct: boolean, actor: Actor]>([
    ["a key with WRITE_BUDGETS", true, { kind: "key", businessId: "1", id: "2", scopes: ["WRITE_BUDGETS"] }],
    ["a key without it", false, { kind: "key", businessId: "1", id: "2", scopes: ["READ_BUDGETS", "WEBHOOKS"] }],
    ["an OWNER", true, { kind: "user", businessId: "1", id: "3", role: "OWNER", sessionId: null }],
    ["an ADMIN", true, { kind: "user", businessId: "1", id: "3", role: "ADMIN", sessionId: null }],
    ["a MEMBER", false, { kind: "user", businessId: "1", id: "3", role: "MEMBER", sessionId: null }],
    ["a customer", false, { kind: "customer", businessId: "1", name: "Ana" }],
  ])("offers actions to %s: %s", (_who, mayAct, actor) => {
    for (const status of BUDGET_STATUSES) {
      expect(availableActionsOf(status, actor)).toEqual(mayAct ? availableActionsOf(status, system) : []);
    }
  });

  it("allows changes of content in DRAFT and PENDING only", () => {
    expect(BUDGET_STATUSES.filter(isEditable)).toEqual(["DRAFT", "PENDING"]);
  });

  it.each([
    ["APPROVED", ["reopen"]],
    ["REJECTED", ["revise"]],
    ["EXPIRED", ["renew"]],
    ["COMPLETED", ["duplicate"]],
    ["ARCHIVED", ["duplicate"]],
  ] as const)("leads from the locked %s to an editable budget by %j", (status, actions) => {
    expect(actionsToEdit(status)).toEqual(actions);
  });
});
