/** A payment as it was typed. */
export interface PaymentInput {
  readonly amount: string;
  readonly paidAt: string; // a day
  readonly method: string; // the word that begins the reference; empty = none
  readonly number: string;
}

export interface PaymentErrors {
  readonly amount: "needed" | "tooMuch" | null;
  readonly paidAt: "inTheFuture" | null;
  readonly reference: "needed" | null;
}

/** Reads `1.544.475,50`, `1,544,475.50` and `1544475.5`. Null = it is no number. */
export function amountIn(text: string): number | null {
  const plain = text.replace(/[\s\u00a0']/g, "");
  if (!/^\d[\d.,]*$/.test(plain)) return null;
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  const decimals = last < 0 ? 0 : plain.length - last - 1;
  const isRepeated = last >= 0 && plain.split(plain.charAt(last)).length > 2;
  const isGroup = isRepeated || (decimals === 3 && /^[1-9]\d{0,2}$/.test(plain.slice(0, last)));
  const digits = plain.replace(/[.,]/g, "");
  if (last < 0 || isGroup) return Number(digits);
  return Number(`${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`);
}

/** What is wrong before anything is asked of the service. `today` is the day of the business's calendar. */
export function paymentErrors(input: PaymentInput, open: number, today: string): PaymentErrors {
  const amount = amountIn(input.amount);
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
