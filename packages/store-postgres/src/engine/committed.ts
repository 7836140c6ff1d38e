import type { Committed, Refusal, Taken } from "@budgetkit/core/store";
import { asOneOf, asText, fieldOf } from "@budgetkit/store-kit";
import type { Answer } from "./batch-codec.js";

const REFUSALS = [
  "stale",
  "missing",
  "repeated",
  "unchanged",
  "last-owner",
  "key-limit",
  "webhook-limit",
  "integration-limit",
  "attachment-limit",
  "quota-exceeded",
  "claim-lost",
] as const satisfies readonly Refusal[];

const UNIQUE_FIELDS = [
  "id",
  "cuit",
  "sku",
  "email",
  "reference",
  "number",
] as const satisfies readonly Taken["taken"][];

/**
 * Reads the answer of a function that writes a commit: `"written"`, an object with the `number` that it has drawn, the name
 * of a refusal, or an object with the field that is `taken` and its `value`.
 */
export function asCommitted(answer: unknown, made: Answer["made"]): Committed {
  if (answer === "written") return { kind: "written", number: null, made, mayWait: true };
  if (typeof answer === "string") return { kind: "refused", by: asOneOf(REFUSALS, answer) };
  const number = fieldOf(answer, "number");
  if (number !== undefined) return { kind: "written", number: asText(number), made, mayWait: true };
  const taken = asOneOf(UNIQUE_FIELDS, fieldOf(answer, "taken"));
  return { kind: "refused", by: { taken, value: asText(fieldOf(answer, "value")) } };
}
