import { BudgetkitError } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { fieldErrorOf, remainingError } from "./field-errors.js";

const refused = new BudgetkitError({
  status: 400,
  code: "VALIDATION_ERROR",
  message: "allowedIps[1] must be an address",
  fieldErrors: [{ field: "allowedIps[1]", code: null, message: "must be an address" }],
});

describe("fieldErrorOf", () => {
  it("finds what is wrong with an entry of a field", () => {
    expect(fieldErrorOf(refused, "allowedIps")).toBe("must be an address");
    expect(fieldErrorOf(refused, "name")).toBeNull();
  });

  it("finds the field that a broken rule names", () => {
    const rule = new BudgetkitError({ status: 422, code: "X", message: "never matches", details: { field: "filter" } });
    expect(fieldErrorOf(rule, "filter")).toBe("never matches");
  });
});

describe("remainingError", () => {
  it("the error of a form is null where a field of it shows the error", () => {
    expect(remainingError(refused, ["name", "allowedIps"])).toBeNull();
    expect(remainingError(refused, ["name"])).toBe(refused);
  });
});
