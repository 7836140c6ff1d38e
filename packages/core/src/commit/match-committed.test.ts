import { describe, expect, expectTypeOf, it } from "vitest";
import type { Committed } from "./commit.js";
import { matchCommitted, requireWritten } from "./match-committed.js";
import type { Refusal } from "./refusal.js";

const written: Committed = { kind: "written", number: null, made: null };
const refused = (by: Refusal): Committed => ({ kind: "refused", by });

describe("matchCommitted", () => {
  it("matchCommitted returns what the operation names for the outcome, null and undefined too", () => {
    const outcomes = { written: 1, stale: null, email: undefined };
    expect(matchCommitted(written, outcomes)).toBe(1);
    expect(matchCommitted(refused("stale"), outcomes)).toBeNull();
    expect(matchCommitted(refused({ taken: "email", value: "a@b.c" }), outcomes)).toBeUndefined();
    expectTypeOf(matchCommitted(written, { written: true, stale: "retry" })).toEqualTypeOf<true | "retry">();
  });

  it("matchCommitted throws an Error that names a refusal which the operation does not name", () => {
    const outcomes = { written: 1, stale: 2 };
    expect(() => matchCommitted(refused("claim-lost"), outcomes)).toThrow(/"claim-lost"/);
    expect(() => matchCommitted(refused({ taken: "id", value: "7" }), outcomes)).toThrow(/"id taken"/);
  });

  it("matchCommitted accepts no name that is no refusal", () => {
    // @ts-expect-error: "stael" is misspelt
    expect(matchCommitted(written, { written: 1, stael: 2 })).toBe(1);
  });
});

describe("requireWritten", () => {
  it("requireWritten throws an Error that names the refusal", () => {
    expect(() => requireWritten(written)).not.toThrow();
    expect(() => requireWritten(refused("missing"))).toThrow(/"missing"/);
  });
});
