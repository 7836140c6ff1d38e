import type { Budget } from "@budgetkit/client";
import { balanceOf } from "../figures.js";

/** An act of the person on a budget. Most are names of `availableActions`; the others follow from them. */
export type ActionName =
  | "send"
  | "edit"
  | "submit"
  | "withdraw"
  | "approve"
  | "reject"
  | "expire"
  | "extend"
  | "revise"
  | "renew"
  | "complete"
  | "archive"
  | "reopen"
  | "recordPayment"
  | "duplicate"
  | "delete"
  | "restore";

export interface ActionPlan {
  /** The next sensible one; null = nothing is left, or the person may only read. */
  readonly primary: ActionName | null;
  readonly secondary: readonly ActionName[];
  /** Behind the menu, in groups. */
  readonly menu: readonly (readonly ActionName[])[];
}

type Planned = Pick<
  Budget,
  | "status"
  | "acceptance"
  | "availableActions"
  | "total"
  | "payable"
  | "paid"
  | "balance"
  | "minimumPaymentToConfirm"
  | "validUntil"
>;

/** The order in which the first possible one is the next step. */
const NEXT: Readonly<Record<Budget["status"], readonly ActionName[]>> = {
  DRAFT: ["send", "edit"],
  PENDING: ["send"],
  APPROVED: ["recordPayment", "complete"],
  REJECTED: ["revise", "duplicate"],
  EXPIRED: ["renew", "duplicate"],
  COMPLETED: ["recordPayment", "archive"],
  ARCHIVED: ["duplicate"],
  DELETED: ["restore"],
};

const BESIDE: readonly ActionName[] = ["edit", "complete", "archive", "duplicate"];
const MAX_BESIDE = 2;

const MENU: readonly (readonly ActionName[])[] = [
  ["send", "submit", "edit", "recordPayment", "extend"],
  ["approve", "reject", "expire", "withdraw", "revise", "renew", "complete", "archive", "reopen", "restore"],
  ["duplicate"],
  ["delete"],
];

/** Which acts are shown where. What `availableActions` lacks, by state or by role, is left out. */
export function planActions(budget: Planned): ActionPlan {
  const possible = possibleActions(budget);
  const isDepositDue = budget.acceptance !== null && budget.status === "PENDING";
  const next = isDepositDue ? (["recordPayment", "send"] as const) : NEXT[budget.status];
  const primary = next.find((name) => possible.has(name)) ?? null;
  const secondary = BESIDE.filter((name) => name !== primary && possible.has(name)).slice(0, MAX_BESIDE);
  const shown = new Set<ActionName | null>([primary, ...secondary]);
  return {
    primary,
    secondary,
    menu: MENU.map((group) => group.filter((name) => possible.has(name) && !shown.has(name))),
  };
}

export function possibleActions(budget: Planned): ReadonlySet<ActionName> {
  const { status, availableActions } = budget;
  const offered = new Set(availableActions);
  const possible = new Set<ActionName>();
  for (const name of NAMED) if (offered.has(name)) possible.add(name);
  if (offered.has("update")) possible.add("edit");
  if (offered.has("submit") || (status === "PENDING" && offered.has("share"))) possible.add("send");
  if (status === "PENDING" && offered.has("update") && budget.validUntil !== null) possible.add("extend");
  const takesPayments = status !== "DRAFT" && status !== "DELETED";
  if (takesPayments && offered.size > 0 && balanceOf(budget) > 0) possible.add("recordPayment");
  return possible;
}

/** Acts with the name that `availableActions` has. */
const NAMED = [
  "submit",
  "withdraw",
  "approve",
  "reject",
  "expire",
  "revise",
  "renew",
  "complete",
  "archive",
  "reopen",
  "duplicate",
  "delete",
  "restore",
] as const;
