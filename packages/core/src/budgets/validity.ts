import { err, ok, type Result } from "neverthrow";
import type { Instant } from "../kernel/clock.js";
import { endOf, type WireDate } from "../kernel/dates.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { BudgetContext } from "./budget-context.js";

/** Until when a budget is valid: a plain date means the end of that day where the business is; null means forever. */
export async function validityOf(
  context: Pick<BudgetContext, "findBusiness">,
  businessId: string,
  date: WireDate | null,
): Promise<Instant | null> {
  if (date === null) return null;
  return endOf(date, await timeZoneFor(context, businessId, date));
}

/** The time zone in which a date of this business is read; a moment needs none. */
export async function timeZoneFor(
  context: Pick<BudgetContext, "findBusiness">,
  businessId: string,
  date: WireDate,
): Promise<string> {
  if (date.kind === "moment") return "UTC";
  return (await context.findBusiness(businessId))?.timeZone ?? "UTC";
}

/** A budget that waits for an answer must still be valid; `field` is where the date came from. Errors: VALIDITY_IN_THE_PAST. */
export function checkStillValid(
  validUntil: Instant | null,
  now: Instant,
  field: string = "validUntil",
): Result<void, Problem> {
  if (validUntil === null || validUntil > now) return ok();
  return err(brokenRule("VALIDITY_IN_THE_PAST", `${field} must be in the future.`, { field }));
}
