import type { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import { dashboardStatistics } from "./dashboard.js";
import { salesStatistics } from "./sales.js";
import { salesQuerySchema } from "./sales-view.js";
import { keyStatistics, type UsageContext } from "./statistics.js";
import { statisticsQuerySchema } from "./statistics-view.js";

type StatisticsOptions = z.input<typeof statisticsQuerySchema>;

/** The host's operations for statistics. Calls of host operations are not counted: they are not requests of a key. */
export function createUsageOperations(context: UsageContext, call: Call) {
  return {
    statistics: (actor: Actor, keyId: string, query: StatisticsOptions = {}) =>
      call.with(actor, statisticsQuerySchema, query, (parsed) => keyStatistics(context, actor, keyId, parsed)),
    dashboard: (actor: Actor, query: StatisticsOptions = {}) =>
      call.with(actor, statisticsQuerySchema, query, (parsed) => dashboardStatistics(context, actor, parsed)),
    sales: (actor: Actor, query: Query<typeof salesQuerySchema> = {}) =>
      call.with(actor, salesQuerySchema, asQueryText(query), (parsed) => salesStatistics(context, actor, parsed)),
  };
}
export type UsageOperations = ReturnType<typeof createUsageOperations>;
