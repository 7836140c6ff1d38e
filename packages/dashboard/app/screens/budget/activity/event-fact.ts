import type { BusinessEvent } from "@budgetkit/client";
import { withoutDust } from "../../../formats/formats.js";

/** What an event of a budget says, apart from who acted and when. */
export type EventFact =
  | { readonly kind: "created"; readonly isDraft: boolean }
  | { readonly kind: "sent" }
  | { readonly kind: "withdrawn" }
  | { readonly kind: "offeredAgain" }
  | { readonly kind: "reopened" }
  | { readonly kind: "completed" }
  | { readonly kind: "archived" }
  | { readonly kind: "restored" }
  | { readonly kind: "deleted" }
  | { readonly kind: "expired" }
  | { readonly kind: "approved"; readonly by: string } // the label of who accepted
  | { readonly kind: "accepted" } // and waits for the deposit
  | { readonly kind: "rejected" }
  | { readonly kind: "paid"; readonly amount: number | null }
  | { readonly kind: "changed"; readonly fields: readonly string[]; readonly totalDelta: number | null }
  | { readonly kind: "link" }
  | { readonly kind: "linkRead" }
  | { readonly kind: "remindersStopped" }
  | { readonly kind: "remindersResumed" }
  | { readonly kind: "other"; readonly name: string };

type ShownEvent = Pick<BusinessEvent, "event" | "change" | "data" | "actor">;

export function eventFact(event: ShownEvent): EventFact {
  switch (event.event) {
    case "budget.created":
      return { kind: "created", isDraft: event.change.to === "DRAFT" };
    case "budget.approved":
      return { kind: "approved", by: approverOf(event) };
    case "budget.rejected":
      return { kind: "rejected" };
    case "budget.expired":
      return { kind: "expired" };
    case "budget.deleted":
      return { kind: "deleted" };
    case "budget.updated":
      return updateFact(event);
    case "public_link.read":
      return { kind: "linkRead" };
    case "reminders.stopped":
      return { kind: "remindersStopped" };
    case "reminders.resumed":
      return { kind: "remindersResumed" };
    default:
      return { kind: "other", name: event.event };
  }
}

type Move = Exclude<EventFact, { kind: "created" | "approved" | "paid" | "changed" | "other" }>["kind"];

const MOVES: Readonly<Record<string, Move>> = {
  "DRAFT PENDING": "sent",
  "PENDING DRAFT": "withdrawn",
  "REJECTED PENDING": "offeredAgain",
  "EXPIRED PENDING": "offeredAgain",
  "APPROVED PENDING": "reopened",
  "APPROVED COMPLETED": "completed",
  "COMPLETED ARCHIVED": "archived",
};

/** Fields that say what another one says. */
const FOLLOWS: ReadonlySet<string> = new Set(["status", "subtotal", "tax", "total", "withheld", "payable"]);

function updateFact({ change, data }: ShownEvent): EventFact {
  const { from, to } = change;
  if (from === "DELETED" && to !== "DELETED") return { kind: "restored" };
  const move = MOVES[`${from} ${to}`];
  if (move !== undefined) return { kind: move };
  const fields = change.fields.filter((field) => !FOLLOWS.has(field));
  if (fields.length === 1) {
    switch (fields[0]) {
      case "acceptance":
        return { kind: "accepted" };
      case "paid":
        return { kind: "paid", amount: deltaOf(data, "paid") };
      case "publicLink":
        return { kind: "link" };
    }
  }
  return { kind: "changed", fields, totalDelta: deltaOf(data, "total") };
}

/** A payment confirms what the customer accepted before: its actor is who recorded it. */
function approverOf({ actor, data }: ShownEvent): string {
  const { after } = changeOf(data, "approvedBy");
  return typeof after === "string" ? after : actor;
}

/** How much an amount grew, by the changes that the event names; null = it is not among them. */
function deltaOf(data: ShownEvent["data"], name: string): number | null {
  const { before, after } = changeOf(data, name);
  return typeof before === "number" && typeof after === "number" ? withoutDust(after - before) : null;
}

function changeOf(
  { changes }: ShownEvent["data"],
  name: string,
): { readonly before?: unknown; readonly after?: unknown } {
  return Object((Array.isArray(changes) ? changes : []).map(Object).find((each) => each.field === name));
}
