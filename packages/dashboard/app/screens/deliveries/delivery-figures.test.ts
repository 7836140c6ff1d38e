import { describe, expect, it } from "vitest";
import { answerFigures, oldestWaiting } from "./delivery-figures.js";

const attempt = (durationMs: number | null, responseCode: number | null) => ({
  number: 1,
  startedAt: "2026-11-26T16:40:11.000Z",
  durationMs,
  responseCode,
  responseBody: "",
  error: null,
});

describe("answerFigures", () => {
  it("takes times of attempts that were answered, and counts those that were not accepted as failed", () => {
    const deliveries = [
      { attempts: [attempt(30_000, null), attempt(44, 503), attempt(120, 200)] },
      { attempts: [attempt(80, 204)] },
      { attempts: [attempt(null, null)] },
    ];
    expect(answerFigures(deliveries)).toEqual({ medianMs: 80, p95Ms: 120, attempts: 5, failedAttempts: 3 });
  });

  it("answerFigures has no time where nothing was answered", () => {
    expect(answerFigures([])).toEqual({ medianMs: null, p95Ms: null, attempts: 0, failedAttempts: 0 });
  });
});

describe("oldestWaiting", () => {
  it("oldestWaiting is the first of those that are not finished", () => {
    const at = (status: "retrying" | "pending" | "delivered", createdAt: string) => ({ status, createdAt });
    expect(
      oldestWaiting([at("delivered", "2026-01-01"), at("retrying", "2026-01-03"), at("pending", "2026-01-02")]),
    ).toBe("2026-01-02");
    expect(oldestWaiting([at("delivered", "2026-01-01")])).toBeNull();
  });
});
