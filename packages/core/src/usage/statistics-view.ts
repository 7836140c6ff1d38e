import { z } from "zod";
import { KEY_STATUSES } from "../access/api-key.js";
import { BUDGET_STATUSES } from "../budgets/budget.js";
import { timestampView } from "../kernel/fields.js";
import { PERIODS } from "./period.js";

/** Query parameters of both statistics. Source: contract, API key management. */
export const statisticsQuerySchema = z.object({
  period: z
    .enum(PERIODS)
    .default("7d")
    .describe("Looks back from now; 7d when left out. 1h and 24h begin with a whole minute, the others a whole hour."),
});
export type StatisticsQuery = z.output<typeof statisticsQuerySchema>;

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();

const averageResponseTime = z
  .number()
  .min(0)
  .describe("Milliseconds from the arrival of a request to its answer, on average; 0 without requests");

const endpointsSchema = z
  .array(
    z.object({
      /** Pattern of the route, such as /api/public/budgets/{budgetId}. */
      endpoint: z.string().describe("Pattern of the route, such as /api/public/budgets/{budgetId}"),
      /** Of the route; a HEAD counts as the GET that it stands for. */
      method: z.string().describe("Of the route; a HEAD counts as the GET that it stands for"),
      /** Requests to this route in the period. */
      count: count.describe("Requests to this route in the period"),
    }),
  )
  .describe("The ten most requested routes, the most requested first");

const daysSchema = z
  .array(
    z.object({
      /** A day in UTC. */
      date: z.iso.date().describe("A day in UTC"),
      /** Requests of that day that lie within the period. */
      requests: count.describe("Requests of that day that lie within the period"),
      /** Those answered 400 or above. */
      errors: count.describe("Those answered 400 or above"),
      /** Milliseconds from the arrival of a request to its answer, on average; 0 without requests. */
      averageResponseTime,
    }),
  )
  .describe("Every day (UTC) that the period touches, in order, those without requests too; adds up to all requests");

/** Source: contract, Usage statistics (API key). */
export const keyStatisticsSchema = z
  .object({
    /** The period that the figures describe. */
    period: z.enum(PERIODS),
    /** Requests that authenticated with the key, whatever they were answered. */
    totalRequests: count.describe("Requests that authenticated with the key, whatever they were answered"),
    /** Those answered below 400. */
    successfulRequests: count.describe("Those answered below 400"),
    /** Those answered 400 or above, refusals by the rate limit included. */
    errorRequests: count.describe("Those answered 400 or above, refusals by the rate limit included"),
    /** Milliseconds from the arrival of a request to its answer, on average; 0 without requests. */
    averageResponseTime,
    /** The ten most requested routes, the most requested first. */
    topEndpoints: endpointsSchema,
    /** Every day (UTC) of the period, in order. */
    dailyUsage: daysSchema,
    /** How the key uses its limit. */
    rateLimitStats: z.object({
      /** Requests that the limit's sliding hour counts now. */
      currentUsage: count.describe("Requests that the limit's sliding hour counts now"),
      /** The key's rateLimitPerHour, as it is now, or the maximum of the tier if that is lower. */
      limit: count.describe("The key's rateLimitPerHour, as it is now, or the maximum of the tier if that is lower"),
      /** currentUsage of limit, in percent; above 100 after the limit was lowered. */
      percentage: z
        .number()
        .min(0)
        .describe("currentUsage of limit, in percent; above 100 after the limit was lowered"),
      /** Requests that counted against the limit in the busiest hour (UTC) of the period. */
      peakUsage: count.describe("Requests that counted against the limit in the busiest hour (UTC) of the period"),
      /** When that hour begins, or the period within it; of equal hours the latest. */
      peakTime: timestampView.describe("When that hour begins, or the period within it; of equal hours the latest"),
      /** Requests in the period that the rate limit refused. */
      rateLimitHits: count.describe("Requests in the period that the rate limit refused"),
      /** totalRequests by the hours of the period: 168 for 7d. */
      averageRequestsPerHour: z.number().min(0).describe("totalRequests by the hours of the period: 168 for 7d"),
    }),
  })
  .meta({ id: "KeyStatistics" });
export type KeyStatistics = z.infer<typeof keyStatisticsSchema>;

export const dashboardSchema = z
  .object({
    /** The period that the figures describe. */
    period: z.enum(PERIODS),
    /** Requests of all keys of the business in the period, as in the statistics of a key. */
    requests: z
      .object({
        /** All requests. */
        total: count,
        /** Those answered below 400. */
        successful: count,
        /** Those answered 400 or above. */
        errors: count,
        /** Milliseconds from the arrival of a request to its answer, on average; 0 without requests. */
        averageResponseTime,
      })
      .describe("Requests of all keys of the business in the period, as in the statistics of a key"),
    /** The keys of the business. */
    apiKeys: z.object({
      /** All keys as they are now, by status. */
      byStatus: z.record(z.enum(KEY_STATUSES), count).describe("All keys as they are now, by status"),
      /** ACTIVE keys that expire within the next 7 days. */
      expiringSoon: count.describe("ACTIVE keys that expire within the next 7 days"),
    }),
    /** Deliveries created in the period, tests included, as they are now; finished ones are kept 30 days. */
    webhooks: z
      .object({
        /** Delivered. */
        delivered: count.describe("Delivered"),
        /** Failed for good. */
        failed: count.describe("Failed for good"),
        /** Not finished: pending or retrying. */
        pending: count.describe("Not finished: pending or retrying"),
        /** delivered of those delivered and failed, 0 to 1; null while there are none. */
        successRate: share.describe("delivered of those delivered and failed, 0 to 1; null while there are none"),
      })
      .describe("Deliveries created in the period, tests included, as they are now; finished ones are kept 30 days"),
    /** All budgets of the business as they are now, whatever the period. */
    budgets: z
      .object({
        /** How many budgets have each status. */
        byStatus: z.record(z.enum(BUDGET_STATUSES), count).describe("How many budgets have each status"),
        /** Totals of all budgets that are not DELETED, summed exactly for each currency. */
        valueByCurrency: z
          .record(z.string(), z.number())
          .describe("Totals of all budgets that are not DELETED, summed exactly for each currency"),
        /** Approved budgets of those that were decided, 0 to 1; null without any. */
        conversionRate: share.describe(
          "APPROVED, COMPLETED and ARCHIVED budgets of these and the REJECTED and EXPIRED ones, 0 to 1; null without any",
        ),
      })
      .describe("All budgets of the business as they are now, whatever the period"),
    /** The ten most requested routes, the most requested first. */
    topEndpoints: endpointsSchema,
    /** Every day (UTC) of the period, in order. */
    dailyUsage: daysSchema,
  })
  .meta({ id: "Dashboard" });
export type DashboardStatistics = z.infer<typeof dashboardSchema>;
