import type { Benchmark } from "../harness/benchmark.js";
import { createBudget } from "./create.js";
import { deliveries } from "./deliveries.js";
import { deliveryFairness } from "./delivery-fairness.js";
import { deliveryLatency } from "./delivery-latency.js";
import { eventLoop } from "./event-loop.js";
import { getById } from "./get.js";
import { getBesideBetterAuth } from "./get-better-auth.js";
import { getOnExpress } from "./get-express.js";
import { idleMemory } from "./idle-memory.js";
import { keyVerification } from "./key-verification.js";
import { largeBodies } from "./large-bodies.js";
import { limiter } from "./limiter.js";
import { limiterOnPostgres } from "./limiter-postgres.js";
import { limiterOnRedis } from "./limiter-redis.js";
import { listPage } from "./list.js";
import { listGrowth } from "./list-growth.js";
import { operation } from "./operation.js";
import { orderedDeliveries, orderedDeliveriesOnPostgres } from "./ordered-deliveries.js";
import { createOnPostgres } from "./postgres-create.js";
import { createOnPostgresInProcess } from "./postgres-create-in-process.js";
import { deliveriesOnPostgres } from "./postgres-deliveries.js";
import { deliveryLatencyOnPostgres } from "./postgres-delivery-latency.js";
import { getOnPostgres } from "./postgres-get.js";
import { listGrowthOnPostgres } from "./postgres-list-growth.js";
import { searchOnPostgres } from "./postgres-search.js";
import { pricing } from "./pricing.js";
import { publicPage } from "./public-page.js";
import { search } from "./search.js";
import { startUp } from "./start-up.js";
import { totals } from "./totals.js";
import { usage } from "./usage.js";

/** Every benchmark under the name by which the command line knows it, in the order in which all are run. */
export const benchmarks: ReadonlyMap<string, Benchmark> = new Map([
  ["get", getById],
  ["get-express", getOnExpress],
  ["get-better-auth", getBesideBetterAuth],
  ["create", createBudget],
  ["public-page", publicPage],
  ["list", listPage],
  ["list-growth", listGrowth],
  ["search", search],
  ["operation", operation],
  ["totals", totals],
  ["pricing", pricing],
  ["limiter", limiter],
  ["limiter-postgres", limiterOnPostgres],
  ["limiter-redis", limiterOnRedis],
  ["key-verification", keyVerification],
  ["deliveries", deliveries],
  ["delivery-fairness", deliveryFairness],
  ["ordered-deliveries", orderedDeliveries],
  ["delivery-latency", deliveryLatency],
  ["idle-memory", idleMemory],
  ["event-loop", eventLoop],
  ["large-bodies", largeBodies],
  ["start-up", startUp],
  ["usage", usage],
  ["postgres-get", getOnPostgres],
  ["postgres-create", createOnPostgres],
  ["postgres-create-in-process", createOnPostgresInProcess],
  ["postgres-list-growth", listGrowthOnPostgres],
  ["postgres-search", searchOnPostgres],
  ["postgres-deliveries", deliveriesOnPostgres],
  ["postgres-ordered-deliveries", orderedDeliveriesOnPostgres],
  ["postgres-delivery-latency", deliveryLatencyOnPostgres],
]);
