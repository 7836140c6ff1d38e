import {
  type BudgetService,
  type BudgetServiceOptions,
  createBudgetService,
  type WebhookOptions,
} from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import BetterSqlite3 from "better-sqlite3";

export interface OpenService {
  readonly service: BudgetService;
  readonly store: Store;
  readonly synchronous: number; // PRAGMA of the connection
  close(): Promise<void>;
}

/** A service over a SQLite file, as a host puts it together. */
export function openService(path: string, limiter: "file" | "memory", webhooks: WebhookOptions = {}): OpenService {
  const database = new BetterSqlite3(path);
  const store = sqliteStore(database, { limiter });
  const service = serviceOver({ store, webhooks });
  return {
    service,
    store,
    synchronous: Number(database.pragma("synchronous", { simple: true })),
    close: async () => {
      await service.stop();
      await store.close();
      database.close();
    },
  };
}

export function serviceOver(options: Pick<BudgetServiceOptions, "store" | "webhooks" | "rateLimits">): BudgetService {
  return createBudgetService({
    secret: "a secret for benchmarks, of no use elsewhere",
    allowPrivateDestinations: true, // receivers of benchmarks are on this machine
    ...options,
  });
}
