import type { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import type { Call } from "../kernel/call.js";
import { dashboardStatistics } from "./dashboard.js";
import { keyStatistics } from "./statistics.js";
import { statisticsQuerySchema } from "./statistics-query.js";
import type { UsageContext } from "./usage-context.js";

type StatisticsOptions = z.input<typeof statisticsQuerySchema>;

/** Statistics as a host reads them without HTTP. What a host does in process is no request of a key and not counted. */
export function createUsageOperations(context: UsageContext, call: Call) {
  return {
    statistics: (actor: Actor, keyId: string, query: StatisticsOptions = {}) =>
      call.with(actor, statisticsQuerySchema, query, (parsed) => keyStatistics(context, actor, keyId, parsed)),
    dashboard: (actor: Actor, query: StatisticsOptions = {}) =>
      call.with(actor, statisticsQuerySchema, query, (parsed) => dashboardStatistics(context, actor, parsed)),
  };
}
export type UsageOperations = ReturnType<typeof createUsageOperations>;
