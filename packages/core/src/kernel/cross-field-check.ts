import { z } from "zod";

/** What a check of several fields sees: the value as far as it could be read, and the issues that it adds to. */
export type CheckedFields<T> = z.core.ParsePayload<T>;

/** A check of a schema that compares fields. It also runs beside other faults, so that a caller sees all of them at once. */
export function crossFieldCheck<T>(check: (fields: CheckedFields<T>) => void) {
  return z.core._check<T>(check, { when: canBeRead });
}

/** False where the whole value is refused. */
function canBeRead({ value, issues }: CheckedFields<unknown>): boolean {
  return issues.length === 0 || (typeof value === "object" && issues.every(({ path = [] }) => path.length > 0));
}
