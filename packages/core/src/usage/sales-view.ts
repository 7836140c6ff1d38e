import { z } from "zod";
import { queryInteger } from "../kernel/fields.js";

const WEEKS = { least: 1, most: 53, given: 12 };

export const salesQuerySchema = z.object({
  weeks: queryInteger(WEEKS.least, WEEKS.most, WEEKS.given).describe("How many weeks, the present one included."),
});
export type SalesQuery = z.output<typeof salesQuerySchema>;

const count = z.int().min(0);

const sumSchema = z
  .object({
    /** How many budgets. */
    count: count.describe("How many budgets"),
    /** The sum, in the currency's major unit. */
    value: z.number().describe("The sum, in the currency's major unit"),
  })
  .meta({ id: "BudgetsSum" });

const byCurrency = z.record(z.string(), sumSchema);

export const salesSchema = z
  .object({
    /** The time zone of the business, in which its weeks begin. */
    timeZone: z.string().describe("The time zone of the business, in which its weeks begin"),
    /** The weeks of the period, the oldest first, those without budgets too. */
    weeks: z
      .array(
        z.object({
          /** The Monday on which the week begins. */
          week: z.iso.date().describe("The Monday on which the week begins"),
          /** The budgets that were sent in the week, by currency and by what became of them. */
          byCurrency: z
            .record(
              z.string(),
              z.object({
                /** APPROVED, COMPLETED or ARCHIVED. */
                won: sumSchema.describe("APPROVED, COMPLETED or ARCHIVED"),
                /** PENDING. */
                waiting: sumSchema.describe("PENDING"),
                /** REJECTED or EXPIRED. */
                lost: sumSchema.describe("REJECTED or EXPIRED"),
                /** All of them. */
                sent: sumSchema.describe("All of them"),
              }),
            )
            .describe("The budgets that were sent in the week, by currency and by what became of them"),
        }),
      )
      .describe("The weeks of the period, the oldest first, those without budgets too"),
    /** All PENDING budgets, by currency, whenever they were sent. */
    waiting: byCurrency.describe("All PENDING budgets, by currency, whenever they were sent"),
    /** The budgets sent in the period that were won, by currency. */
    won: byCurrency.describe("The budgets sent in the period that were won, by currency"),
    /** Of the budgets sent in the period. */
    conversion: z
      .object({
        /** won of answered, 0 to 1; null without any. */
        rate: z.number().min(0).max(1).nullable().describe("won of answered, 0 to 1; null without any"),
        /** Won and lost budgets. */
        answered: count.describe("Won and lost budgets"),
        /** Won budgets. */
        won: count.describe("Won budgets"),
        /** The rate of as many weeks before the period; null without any. */
        previousRate: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .describe("The rate of as many weeks before the period; null without any"),
      })
      .describe("Of the budgets sent in the period"),
    /** What is payable and not paid of all won budgets, by currency; of those with a balance alone. */
    toCollect: byCurrency.describe(
      "What is payable and not paid of all won budgets, by currency; of those with a balance alone",
    ),
    /** PENDING budgets whose acceptance waits for a deposit. */
    depositsDue: count.describe("PENDING budgets whose acceptance waits for a deposit"),
    /** PENDING budgets that expire within the next 7 days. */
    expiringSoon: count.describe("PENDING budgets that expire within the next 7 days"),
  })
  .meta({ id: "Sales" });
export type SalesStatistics = z.infer<typeof salesSchema>;
