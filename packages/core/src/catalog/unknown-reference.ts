import { brokenRule, type Problem } from "../kernel/problem.js";

/** What a reference to something that the business's catalog has not, or has deleted, is answered with. */
export function unknownReference(field: string, id: string): Problem {
  return brokenRule("UNKNOWN_REFERENCE", "The catalog does not know this id.", { field, id });
}
