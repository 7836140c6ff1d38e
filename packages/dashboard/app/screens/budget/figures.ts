import type { Budget } from "@budgetkit/client";
import { withoutDust } from "../../formats/formats.js";

type Figures = Pick<Budget, "total" | "payable" | "paid" | "balance" | "minimumPaymentToConfirm">;

/** What the customer pays in all: the total less what is withheld. */
export function payableOf({ payable, total }: Pick<Figures, "payable" | "total">): number {
  return payable ?? total;
}

/** What is open. The service leaves it out where there is no deposit. */
export function balanceOf(budget: Figures): number {
  return budget.balance ?? Math.max(0, withoutDust(payableOf(budget) - budget.paid));
}

/** From 0 to 1: how much is paid, and where the deposit's tick stands; null = there is none. */
export function progressOf(budget: Figures): { readonly paid: number; readonly deposit: number | null } {
  const whole = payableOf(budget);
  const part = (amount: number) => (whole <= 0 ? 1 : Math.min(1, Math.max(0, amount / whole)));
  const { minimumPaymentToConfirm: minimum = 0 } = budget;
  return { paid: part(budget.paid), deposit: minimum > 0 ? part(minimum) : null };
}
