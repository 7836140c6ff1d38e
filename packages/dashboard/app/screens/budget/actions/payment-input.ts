/** A payment as it was entered. */
export interface PaymentInput {
  readonly amount: number | null; // null = what was typed is no number
  readonly paidAt: string; // a day
  readonly method: string; // the word that begins the reference; empty = none
  readonly number: string;
}

export interface PaymentErrors {
  readonly amount: "needed" | "tooMuch" | null;
  readonly paidAt: "inTheFuture" | null;
  readonly reference: "needed" | null;
}

/** What is wrong before anything is asked of the service. `today` is the day of the business's calendar. */
export function paymentErrors(input: PaymentInput, open: number, today: string): PaymentErrors {
  const { amount } = input;
  return {
    amount: amount === null || amount <= 0 ? "needed" : amount > open ? "tooMuch" : null,
    paidAt: input.paidAt > today ? "inTheFuture" : null,
    reference: input.number.trim() === "" ? "needed" : null,
  };
}

/** `Transfer 77120`: what the history shows, and by which the service knows the payment again. */
export function referenceOf({ method, number }: Pick<PaymentInput, "method" | "number">): string {
  return [method, number.trim()].filter(Boolean).join(" ");
}
