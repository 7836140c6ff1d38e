import { type UnsavedBudgetInput, unsavedBudgetSchema } from "../../budgets/unsaved/unsaved-offer.js";
import { DAY_MS, type Instant, toTimestamp } from "../../kernel/clock.js";
import type { PageLanguage } from "../pages/page-language.js";
import { SAMPLE_WORDS } from "./sample-words.js";

/** A budget that shows every part of a page: sections, a discount, an optional line, a deposit, notes. */
export function sampleBudget(language: PageLanguage, now: Instant): UnsavedBudgetInput {
  const { customer, section, first, second, optional, notes } = SAMPLE_WORDS[language];
  return unsavedBudgetSchema.parse({
    customer: { name: customer },
    items: [
      { kind: "heading", description: section },
      { description: first, quantity: 2, unitPrice: 450 },
      { description: second, quantity: 12, unitPrice: 35, discountRate: 0.1 },
      { description: optional, quantity: 1, unitPrice: 120, optional: true },
    ],
    deposit: { rate: 0.3 },
    notes,
    validUntil: toTimestamp(now + 30 * DAY_MS),
  });
}
