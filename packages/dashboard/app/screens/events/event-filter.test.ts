import { describe, expect, it } from "vitest";
import { exactType, isSearchedHere, meets } from "./event-filter.js";

const event = { event: "budget.viewed", actor: "customer:Ana" } as const;

describe("meets", () => {
  it("finds a group by its first part alone", () => {
    expect(meets({ type: "budget.*" }, event)).toBe(true);
    expect(meets({ type: "customer.*" }, event)).toBe(false);
    expect(meets({ type: "budget.viewed" }, event)).toBe(true);
  });

  it("finds an actor by a part of the name, in any case", () => {
    expect(meets({ actor: "ana" }, event)).toBe(true);
    expect(meets({ actor: "user:7" }, event)).toBe(false);
    expect(meets({}, event)).toBe(true);
  });
});

describe("exactType", () => {
  it("exactType is a name that the service looks for, and no group", () => {
    expect([exactType({ type: "budget.viewed" }), exactType({ type: "budget.*" })]).toEqual([
      "budget.viewed",
      undefined,
    ]);
    expect([isSearchedHere({ type: "budget.viewed" }), isSearchedHere({ type: "budget.*" })]).toEqual([false, true]);
  });
});
