import { err, ok, type Result } from "neverthrow";
import type { Instant } from "../kernel/clock.js";
import { endOf, type WireDate } from "../kernel/dates.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { BudgetContext } from "./budget-context.js";

/** Until when a budget is valid: a plain date means the end of that day where the business is; null means forever. */
export async function validityOf(
  context: Pick<BudgetContext, "timeZoneOf">,
  businessId: string,
  date: WireDate | null,
): Promise<Instant | null> {
  if (date === null) return null;
  return endOf(date, date.kind === "moment" ? "UTC" : await context.timeZoneOf(businessId));
}

/** A budget that waits for an answer must still be valid. Errors: VALIDITY_IN_THE_PAST. */
export function checkStillValid(validUntil: Instant | null, now: Instant): Result<void, Problem> {
  if (validUntil === null || validUntil > now) return ok();
  return err(brokenRule("VALIDITY_IN_THE_PAST", "validUntil must be in the future.", { field: "validUntil" }));
}
