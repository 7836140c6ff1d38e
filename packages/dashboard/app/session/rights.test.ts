import { describe, expect, it } from "vitest";
import { may } from "./rights.js";

describe("may", () => {
  it("gives an OWNER every right, and an ADMIN all but those of owners", () => {
    expect(may({ role: "OWNER", scopes: null }, "own")).toBe(true);
    expect(may({ role: "ADMIN", scopes: null }, "administer")).toBe(true);
    expect(may({ role: "ADMIN", scopes: null }, "own")).toBe(false);
  });

  it("gives a MEMBER the scopes that the session names, and nothing of an administrator", () => {
    const member = { role: "MEMBER", scopes: ["READ_BUDGETS"] } as const;
    expect(may(member, "READ_BUDGETS")).toBe(true);
    expect(may(member, "WRITE_BUDGETS")).toBe(false);
    expect(may(member, "administer")).toBe(false);
  });
});
