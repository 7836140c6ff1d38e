import { describe, expect, it } from "vitest";
import { progressOf, sentTypes, timesOf } from "./replay-range.js";

describe("timesOf", () => {
  it("needs a beginning, and an end that is not before it", () => {
    const range = { since: "2026-11-26T10:00:00Z", until: "", events: null };
    expect(timesOf(range)).toEqual({ since: "2026-11-26T10:00:00.000Z" });
    expect(timesOf({ ...range, until: "2026-11-26T11:00:00Z" })?.until).toBe("2026-11-26T11:00:00.000Z");
    expect(timesOf({ ...range, until: "2026-11-25T10:00:00Z" })).toBeNull();
    expect(timesOf({ ...range, since: "" })).toBeNull();
  });
});

describe("sentTypes", () => {
  it("sentTypes are those that both the range and the endpoint name", () => {
    expect(sentTypes(["*.deleted"], ["budget.*", "customer.created"])).toEqual(["budget.deleted"]);
    expect(sentTypes(null, ["customer.created"])).toEqual(["customer.created"]);
  });
});

describe("progressOf", () => {
  it("counts from the first event to the last", () => {
    const replay = {
      id: "1",
      webhookId: "1",
      status: "running" as const,
      events: null,
      firstSequence: 101,
      nextSequence: 151,
      untilSequence: 200,
      sent: 50,
      createdAt: "",
      updatedAt: "",
    };
    expect(progressOf(replay)).toBe(0.5);
    expect(progressOf({ ...replay, nextSequence: 201 })).toBe(1);
    expect(progressOf({ ...replay, untilSequence: 100 })).toBe(1);
  });
});
