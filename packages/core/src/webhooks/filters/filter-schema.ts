import { z } from "zod";
import { BUDGET_STATUSES } from "../../budgets/budget.js";
import { amount, currencyCode, hostId } from "../../kernel/fields.js";

const MAX_CURRENCIES = 50;
const MAX_CUSTOMERS = 100;

const ONE_OF = "The event's is one of these.";

export const FILTER_CONDITIONS = ["status", "currency", "customerId", "minimumTotal"] as const;
export type FilterCondition = (typeof FILTER_CONDITIONS)[number];

/** Unknown conditions are refused even where other unknown fields are ignored: the filter would let too much through. */
export const eventFilter = z
  .strictObject(
    {
      /** The event's is one of these. */
      status: listOf(z.enum(BUDGET_STATUSES), BUDGET_STATUSES.length).optional().describe(ONE_OF),
      /** The event's is one of these. */
      currency: listOf(currencyCode, MAX_CURRENCIES).optional().describe(ONE_OF),
      /** The event's is one of these. */
      customerId: listOf(hostId, MAX_CUSTOMERS).optional().describe(ONE_OF),
      /** The event's total is at least this, in this currency. Amounts of other currencies are not compared. */
      minimumTotal: z
        .strictObject({
          /** In the currency's major unit. */
          amount,
          /** An ISO 4217 code in upper case. */
          currency: currencyCode,
        })
        .optional()
        .describe(
          "The event's total is at least this, in this currency. Amounts of other currencies are not compared.",
        ),
    },
    {
      error: ({ code }) =>
        code === "unrecognized_keys" ? `The conditions are ${FILTER_CONDITIONS.join(", ")}.` : undefined,
    },
  )
  .refine((given) => Object.values(given).some((condition) => condition !== undefined), {
    message: "must have a condition; null is no filter",
  })
  .meta({ id: "EventFilter", description: "Conditions on the data of an event, which must meet each of them." });
/** Conditions on the data of an event. An event must meet each one; data without the field does not meet it. */
export type EventFilter = z.output<typeof eventFilter>;

function listOf<S extends z.ZodType>(entry: S, max: number) {
  return z.array(entry).min(1).max(max).refine(isDistinct, { message: "must have each value once" });
}

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}
