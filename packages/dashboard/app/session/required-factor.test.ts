import { BudgetkitError } from "@budgetkit/client";
import { afterEach, describe, expect, it } from "vitest";
import { forgetRequiredFactor, isFactorRequired, noticeRequiredFactor, onFactorChange } from "./required-factor.js";

const refusal = (code: string) => new BudgetkitError({ status: 403, code, message: "Refused.", requestId: null });

describe("noticeRequiredFactor", () => {
  afterEach(forgetRequiredFactor);

  it("notices the refusal that names the second factor, once for many calls", () => {
    const seen: boolean[] = [];
    const stop = onFactorChange(() => seen.push(isFactorRequired()));
    noticeRequiredFactor(refusal("SECOND_FACTOR_REQUIRED"));
    noticeRequiredFactor(refusal("SECOND_FACTOR_REQUIRED"));
    forgetRequiredFactor();
    stop();
    expect(seen).toEqual([true, false]);
  });

  it("takes no other refusal for it", () => {
    noticeRequiredFactor(refusal("FORBIDDEN"));
    noticeRequiredFactor(new Error("offline"));
    expect(isFactorRequired()).toBe(false);
  });
});
