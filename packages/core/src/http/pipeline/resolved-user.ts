import { checkBusinessId, checkFields, checkRole, checkText, quoted } from "../../kernel/check-actor.js";
import type { OptionNames } from "../../kernel/known-names.js";
import type { ResolvedUser } from "../http-context.js";

const FIELDS: OptionNames<ResolvedUser> = { businessId: true, userId: true, role: true };

/**
 * Reads the answer of the host's `resolveUser`; null or undefined = not logged in. Throws a RangeError that names
 * the value for any other answer, so that a login that the service does not understand grants nothing: the request gets
 * 500, and `onError` the reason.
 */
export function readResolvedUser(answer: unknown): ResolvedUser | null {
  if (answer === null || answer === undefined) return null;
  if (typeof answer !== "object") throw new RangeError(`resolveUser must return a user or null, not ${quoted(answer)}`);
  checkFields("the user of resolveUser", answer, FIELDS);
  const { businessId, userId, role }: Readonly<Partial<Record<keyof ResolvedUser, unknown>>> = answer;
  checkBusinessId(businessId);
  checkText("userId", userId);
  checkRole(role);
  return { businessId, userId, role };
}
