import { describe, expect, it } from "vitest";
import { balanceOf, progressOf } from "./figures.js";

describe("balanceOf", () => {
  it("the sum to pay is what is payable where taxes are withheld, without the noise of binary fractions", () => {
    expect(balanceOf({ total: 100.3, paid: 100.1 })).toBe(0.2);
    expect(balanceOf({ total: 100, payable: 90, paid: 40 })).toBe(50);
    expect(balanceOf({ total: 100, paid: 40, balance: 55 })).toBe(55);
  });
});

describe("progressOf", () => {
  it("puts the deposit's tick at its part of what is payable", () => {
    expect(progressOf({ total: 200, paid: 60, minimumPaymentToConfirm: 50 })).toEqual({ paid: 0.3, deposit: 0.25 });
  });

  it("the bar of payments is full for a budget of nothing, and has no tick without a deposit", () => {
    expect(progressOf({ total: 0, paid: 0 })).toEqual({ paid: 1, deposit: null });
  });
});
