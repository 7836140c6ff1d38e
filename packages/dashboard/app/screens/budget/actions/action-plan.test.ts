import { describe, expect, it } from "vitest";
import { planActions } from "./action-plan.js";

const base = { acceptance: null, total: 100, paid: 0, validUntil: "2026-12-01T00:00:00.000Z" };
const pending = ["update", "approve", "reject", "expire", "withdraw", "share", "duplicate", "delete"];

describe("planActions", () => {
  it("offers to send a draft, to edit it, and to submit it without a mail", () => {
    const availableActions = ["update", "submit", "duplicate", "delete"];
    const plan = planActions({ ...base, status: "DRAFT", availableActions });
    expect(plan).toEqual({ primary: "send", secondary: ["edit", "duplicate"], menu: [["submit"], [], [], ["delete"]] });
  });

  it("shows every move of a pending budget", () => {
    const { primary, secondary, menu } = planActions({ ...base, status: "PENDING", availableActions: pending });
    expect([primary, ...secondary, ...menu.flat()].sort()).toEqual(
      [
        "send",
        "edit",
        "approve",
        "reject",
        "expire",
        "extend",
        "withdraw",
        "recordPayment",
        "duplicate",
        "delete",
      ].sort(),
    );
  });

  it("asks for the payment first where an acceptance waits for the deposit", () => {
    const acceptance = { acceptedAt: "2026-11-25T00:00:00.000Z", acceptedBy: "customer:Ana" };
    expect(planActions({ ...base, acceptance, status: "PENDING", availableActions: pending }).primary).toBe(
      "recordPayment",
    );
  });

  it("offers to complete an accepted budget once all of it is paid", () => {
    const availableActions = ["complete", "reopen", "share", "duplicate", "delete"];
    expect(planActions({ ...base, status: "APPROVED", availableActions }).primary).toBe("recordPayment");
    const paid = planActions({ ...base, paid: 100, status: "APPROVED", availableActions });
    expect(paid).toEqual({ primary: "complete", secondary: ["duplicate"], menu: [[], ["reopen"], [], ["delete"]] });
  });

  it("leaves nothing to a person who may only read", () => {
    const plan = planActions({ ...base, status: "PENDING", availableActions: [] });
    expect(plan).toEqual({ primary: null, secondary: [], menu: [[], [], [], []] });
  });

  it("restores a deleted budget", () => {
    expect(planActions({ ...base, status: "DELETED", availableActions: ["restore"] }).primary).toBe("restore");
  });
});
