import { describe, expect, it } from "vitest";
import { checkClock } from "./check-database.js";

const BEFORE = Date.UTC(2026, 0, 1);
const AFTER = BEFORE + 40;

describe("the clock of the database", () => {
  it.each([
    ["between two readings of this machine's", BEFORE + 20],
    ["two seconds ahead", AFTER + 2_000],
    ["two seconds behind", BEFORE - 2_000],
  ])("accepts a database clock %s", (_, shown) => {
    expect(checkClock(shown, BEFORE, AFTER).state).toBe("ok");
  });

  it.each([
    ["ahead", AFTER + 90_000],
    ["behind", BEFORE - 90_000],
  ])("warns of a database clock that is %s", (where, shown) => {
    expect(checkClock(shown, BEFORE, AFTER)).toMatchObject({
      state: "warning",
      says: expect.stringContaining(`90 s ${where}`),
    });
  });
});
