import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Budget } from "./budget.js";
import type { EventDraft } from "./budget-event.js";

/** The decided budget, with who declined it and why. It ends when the budget is offered again, not with a deletion. */
export function noteDeclined(
  before: Budget,
  after: Budget,
  actor: Actor,
  events: readonly EventDraft[],
  now: Instant,
): Budget {
  if (after.status === "REJECTED" && before.status === "PENDING") {
    const reason = events.find((event) => event.reason !== null)?.reason ?? null;
    const declined = { at: now, by: actorLabel(actor) };
    return { ...after, declined: reason === null ? declined : { ...declined, reason } };
  }
  if (after.declined === undefined || after.status !== "PENDING") return after;
  const { declined: _answeredAnew, ...others } = after;
  return others;
}
