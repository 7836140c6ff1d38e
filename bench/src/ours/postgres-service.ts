import { createMemoryRateLimitStore, type WebhookOptions } from "@budgetkit/core";
import { postgresStore } from "@budgetkit/store-postgres";
import { type OpenService, serviceOver } from "./service.js";

/** A service over a PostgreSQL, as a host puts it together. */
export function openPostgresService(
  url: string,
  limiter: "file" | "memory",
  webhooks: WebhookOptions = {},
): Omit<OpenService, "synchronous"> {
  const store = postgresStore(url);
  const rateLimits = limiter === "memory" ? createMemoryRateLimitStore() : store;
  const service = serviceOver({ store, webhooks, rateLimits });
  return {
    service,
    store,
    close: async () => {
      await service.stop();
      await store.close();
    },
  };
}
