import { err, ok, type Result } from "neverthrow";
import type { Instant } from "../../kernel/clock.js";
import { endOf, type TimeZones, timeZoneFor, type WireDate } from "../../kernel/dates.js";
import { brokenRule, type Problem } from "../../kernel/problem.js";

/**
 * The moment until which a budget is valid; null = forever. A plain date is the end of that day in the time zone of the
 * business. An undefined date leaves `current`.
 */
export async function validityOf(
  zones: TimeZones,
  businessId: string,
  date: WireDate | null | undefined,
  current: Instant | null = null,
): Promise<Instant | null> {
  if (date === undefined) return current;
  return date === null ? null : endOf(date, await timeZoneFor(zones, businessId, date));
}

/** A budget that waits for an answer must still be valid. `field` is the field of the request. Errors: VALIDITY_IN_THE_PAST. */
export function checkStillValid(
  validUntil: Instant | null,
  now: Instant,
  field: string = "validUntil",
): Result<void, Problem> {
  if (validUntil === null || validUntil > now) return ok(undefined);
  return err(brokenRule("VALIDITY_IN_THE_PAST", `${field} must be in the future.`, { field }));
}
