import { describe, expect, it } from "vitest";
import { customerSums } from "./customer-sums.js";

const of = (status: "DRAFT" | "PENDING" | "APPROVED" | "COMPLETED" | "REJECTED", total: number, currency = "ARS") => ({
  status,
  total,
  currency,
});

describe("customerSums", () => {
  it("sums what was won and what waits apart, by currency, and leaves out drafts and refusals", () => {
    const budgets = [
      of("APPROVED", 100),
      of("COMPLETED", 50),
      of("PENDING", 30),
      of("DRAFT", 1_000),
      of("REJECTED", 1_000),
      of("PENDING", 7, "USD"),
      of("DRAFT", 7, "EUR"),
    ];
    expect(customerSums(budgets)).toEqual([
      { currency: "ARS", won: 150, waiting: 30 },
      { currency: "USD", won: 0, waiting: 7 },
    ]);
  });

  it("leaves out deleted budgets", () => {
    expect(customerSums([{ ...of("APPROVED", 9), deletedAt: "2026-11-01T00:00:00.000Z" }])).toEqual([]);
  });
});
