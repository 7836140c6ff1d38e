import { describe, expect, it } from "vitest";
import { paymentErrors, referenceOf } from "./payment-input.js";

describe("paymentErrors", () => {
  const right = { amount: 50, paidAt: "2026-11-27", method: "Transfer", number: "77120" };

  it("finds nothing wrong with a payment of what is open", () => {
    expect(paymentErrors(right, 50, "2026-11-27")).toEqual({ amount: null, paidAt: null, reference: null });
  });

  it("a payment needs an amount above nothing", () => {
    for (const amount of [null, 0, -5]) {
      expect(paymentErrors({ ...right, amount }, 50, "2026-11-27").amount).toBe("needed");
    }
  });

  it("a payment names an amount above what is open, a day to come and a missing number", () => {
    const wrong = { ...right, amount: 50.01, paidAt: "2026-11-28", number: " " };
    expect(paymentErrors(wrong, 50, "2026-11-27")).toEqual({
      amount: "tooMuch",
      paidAt: "inTheFuture",
      reference: "needed",
    });
  });
});

describe("referenceOf", () => {
  it("puts the method before the number, and leaves it out where there is none", () => {
    expect(referenceOf({ method: "Transfer", number: " 77120 " })).toBe("Transfer 77120");
    expect(referenceOf({ method: "", number: "A-1" })).toBe("A-1");
  });
});
