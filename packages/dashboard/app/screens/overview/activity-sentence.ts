import type { BusinessEvent } from "@budgetkit/client";

/** What happened, in a word that each language has a sentence for. */
export type ActivityKind =
  | "created"
  | "sent"
  | "withdrawn"
  | "accepted"
  | "approved"
  | "declined"
  | "expired"
  | "deleted"
  | "restored"
  | "viewed"
  | "asked"
  | "wrote"
  | "answered"
  | "paid"
  | "paidInFull"
  | "completed"
  | "archived"
  | "reopened"
  | "changed";

export interface Activity {
  readonly id: string;
  readonly kind: ActivityKind;
  /** `user:7`, `key:12`, `customer:Ana` or `system`. */
  readonly actor: string;
  readonly at: string;
  readonly budgetId: string;
  readonly number: string | null;
  readonly customerName: string;
  /** Of the budget; of a payment, what was paid. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** What the customer or the business wrote; null = nothing. */
  readonly quote: string | null;
}

const LONGEST_QUOTE = 120;

/** The event as a sentence about a budget; null = it is about something else. */
export function activityOf(event: BusinessEvent): Activity | null {
  const kind = kindOf(event);
  if (kind === null) return null;
  const { data } = event;
  const customer = recordOf(data.customer);
  const written = recordOf(data.message) ?? recordOf(data.changeRequest);
  return {
    id: event.id,
    kind,
    actor: event.actor,
    at: event.timestamp,
    budgetId: event.subjectId,
    number: textOf(data.number),
    customerName: textOf(customer?.name) ?? textOf(customer?.email) ?? "",
    amount: kind === "paid" || kind === "paidInFull" ? paymentOf(data.changes) : numberOf(data.total),
    currency: textOf(data.currency),
    quote: shorten(textOf(written?.text) ?? textOf(written?.message) ?? event.change.reason),
  };
}

function kindOf({ event, change, data, actor }: BusinessEvent): ActivityKind | null {
  switch (event) {
    case "budget.created":
      return data.status === "PENDING" ? "sent" : "created";
    case "budget.approved":
      return actor.startsWith("customer:") ? "accepted" : "approved";
    case "budget.rejected":
      return "declined";
    case "budget.expired":
      return "expired";
    case "budget.deleted":
      return "deleted";
    case "budget.viewed":
      return "viewed";
    case "budget.change_requested":
      return "asked";
    case "budget.message_sent":
      return recordOf(data.message)?.from === "customer" ? "wrote" : "answered";
    case "budget.updated":
      return kindOfUpdate(change, data);
    default:
      return null;
  }
}

function kindOfUpdate({ from, to, fields }: BusinessEvent["change"], data: BusinessEvent["data"]): ActivityKind {
  if (from !== to) {
    if (from === "DELETED") return "restored";
    if (to === "COMPLETED") return "completed";
    if (to === "ARCHIVED") return "archived";
    if (to === "DRAFT") return "withdrawn";
    if (to === "PENDING") return from === "APPROVED" ? "reopened" : "sent";
  }
  if (fields.includes("acceptance")) return "accepted";
  if (!fields.includes("paid")) return "changed";
  return paidOf(data.changes)?.after === data.total ? "paidInFull" : "paid";
}

/** How the sum of the payments changed, where the event says so. */
function paidOf(changes: unknown): Readonly<Record<string, unknown>> | null {
  if (!Array.isArray(changes)) return null;
  return changes.map(recordOf).find((change) => change?.field === "paid") ?? null;
}

function paymentOf(changes: unknown): number | null {
  const paid = paidOf(changes);
  const after = numberOf(paid?.after);
  return after === null ? null : after - (numberOf(paid?.before) ?? 0);
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null ? { ...value } : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function shorten(text: string | null): string | null {
  if (text === null) return null;
  const letters = [...text.trim()];
  return letters.length <= LONGEST_QUOTE ? text.trim() : `${letters.slice(0, LONGEST_QUOTE).join("")}…`;
}

/** A sentence such as "{who} accepted {budget}" in its parts. */
export function partsOf(sentence: string): readonly string[] {
  return sentence.split(/(\{who\}|\{budget\})/).filter((part) => part !== "");
}
