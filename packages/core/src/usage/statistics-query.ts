import { z } from "zod";
import { PERIODS } from "./period.js";

/** Query parameters of both statistics. Source: contract, API key management. */
export const statisticsQuerySchema = z.object({
  period: z
    .enum(PERIODS)
    .default("7d")
    .describe("Looks back from now; 7d when left out. 1h and 24h begin with a whole minute, the others a whole hour."),
});
export type StatisticsQuery = z.output<typeof statisticsQuerySchema>;
