import { BudgetkitError } from "@budgetkit/client";

type Listener = () => void;

const listeners = new Set<Listener>();
let required = false;

/** True = a call was refused because the business demands a second factor that the person lacks. */
export function isFactorRequired(): boolean {
  return required;
}

export function onFactorChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Of each failed call: the refusal of one is that of all. */
export function noticeRequiredFactor(error: Error): void {
  if (error instanceof BudgetkitError && error.code === "SECOND_FACTOR_REQUIRED") setRequired(true);
}

/** Calls may work again: the second factor is on, or the session is another one. */
export function forgetRequiredFactor(): void {
  setRequired(false);
}

function setRequired(next: boolean): void {
  if (next === required) return;
  required = next;
  for (const listener of listeners) listener();
}
