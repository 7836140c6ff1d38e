import { describe, expect, it } from "vitest";
import { isSamePerson } from "./same-person.js";

describe("isSamePerson", () => {
  it("isSamePerson keeps apart users of two businesses that have one id", () => {
    const ana = { userId: "1", businessId: "1" };
    expect(isSamePerson(ana, { ...ana })).toBe(true);
    expect(isSamePerson(ana, { ...ana, businessId: "2" })).toBe(false);
    expect(isSamePerson(ana, { ...ana, userId: "2" })).toBe(false);
  });
});
