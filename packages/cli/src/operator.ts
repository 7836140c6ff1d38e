import { existsSync } from "node:fs";
import { type Actor, type BudgetService, type BudgetServiceOptions, createBudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import type { Database } from "./database-url.js";
import { openStore, refuseDatabase } from "./open-store.js";
import { secretsOf } from "./secrets.js";
import type { Settings } from "./settings.js";
import { StartFailure } from "./start-failure.js";

/** What a command works with: the service over the database that the settings name, without its upkeep. */
export interface Operator {
  readonly service: BudgetService;
  readonly store: Store;
}

/**
 * Does some work with the service and lets go of the database. The database has to be there and up to date, unless
 * `makes` says that the work may bring it so. Throws a StartFailure for what the operator can mend.
 */
export async function withService<T>(
  settings: Settings,
  work: (operator: Operator) => Promise<T>,
  options: Partial<BudgetServiceOptions> & { readonly makes?: boolean } = {},
): Promise<T> {
  const { makes = false, ...overrides } = options;
  const { DATABASE_URL: database } = settings;
  const open = overrides.store ?? (await openDatabase(database, makes));
  try {
    if (!makes) await requireCurrent(open);
    await open.migrate().catch(refuseDatabase);
    const service = createBudgetService({
      secret: secretsOf(settings).secrets,
      references: settings.BUDGETKIT_REFERENCES,
      ...(settings.BUDGETKIT_PUBLIC_URL === null ? {} : { publicBaseUrl: settings.BUDGETKIT_PUBLIC_URL }),
      ...overrides,
      store: open,
    });
    return await work({ service, store: open });
  } finally {
    await open.close();
  }
}

/** Opens the store of data that outlive the command; `clock` says whose time its deliveries go by. */
export async function openDatabase(
  database: Database,
  makes: boolean,
  clock: "database" | "caller" = "database",
): Promise<Store> {
  if (database.kind === "memory") {
    throw new StartFailure("DATABASE_URL is memory:, which ends with the process: name a file or PostgreSQL.");
  }
  if (database.kind === "file" && !makes && !existsSync(database.path)) {
    throw new StartFailure(`DATABASE_URL names ${database.path}, which does not exist: budgetkit migrate makes it.`);
  }
  return openStore(database, clock);
}

async function requireCurrent(store: Store): Promise<void> {
  const pending = await store.pendingMigrations().catch(refuseDatabase);
  if (pending === 0) return;
  const steps = pending === 1 ? "one step" : `${pending} steps`;
  throw new StartFailure(`The schema of the database lacks ${steps}: budgetkit migrate applies them.`);
}

/** The operator's own hand in a business. Throws a StartFailure when there is no such business. */
export async function actorIn(service: BudgetService, businessId: string): Promise<Actor> {
  if ((await service.businesses.find(businessId)) === null) {
    throw new StartFailure(`There is no business ${businessId}.`);
  }
  return { kind: "system", businessId };
}
