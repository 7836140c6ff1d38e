import { BudgetkitError } from "@budgetkit/client";

/** What the service said about a field, or an entry of it; null = nothing. */
export function fieldErrorOf(error: Error | null, field: string): string | null {
  if (!(error instanceof BudgetkitError)) return null;
  const found = error.fieldErrors.find(
    (each) => each.field === field || each.field.startsWith(`${field}[`) || each.field.startsWith(`${field}.`),
  );
  if (found !== undefined) return found.message;
  return error.details.field === field ? error.message : null;
}

/** The error where none of the form's fields shows it; null = a field does, or there is none. */
export function remainingError(error: Error | null, fields: readonly string[]): Error | null {
  return error !== null && fields.some((field) => fieldErrorOf(error, field) !== null) ? null : error;
}
