import { existsSync } from "node:fs";
import { type Actor, type BudgetService, type BudgetServiceOptions, createBudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { publicUrlOf } from "../server/listening-url.js";
import type { Database } from "../settings/database-url.js";
import { mailOptions } from "../settings/open-mailer.js";
import { openStore, refuseDatabase, type StoreSettings } from "../settings/open-store.js";
import { secretsOf } from "../settings/secret-file.js";
import { quotasOf, type Settings } from "../settings/settings.js";
import { StartFailure } from "../terminal/failures.js";
import { ownCommand } from "../terminal/own-command.js";

/** A service over the configured database, without background work, for one command. */
export interface Operator {
  readonly service: BudgetService;
  readonly store: Store;
}

/**
 * Runs `work` with the service and closes the database. The database has to exist and be up to date, unless `makes` allows
 * the work to create it. Throws a StartFailure for a problem that the operator can fix.
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
      ...mailOptions(settings),
      quotas: quotasOf(settings),
      publicBaseUrl: publicUrlOf(settings, settings.PORT),
      ...overrides,
      store: open,
    });
    return await work({ service, store: open });
  } finally {
    await open.close();
  }
}

/** Opens a persistent store. */
export async function openDatabase(database: Database, makes: boolean, store: StoreSettings = {}): Promise<Store> {
  if (database.kind === "memory") {
    throw new StartFailure("DATABASE_URL is memory:, which ends with the process: name a file or PostgreSQL.");
  }
  if (database.kind === "file" && !makes && !existsSync(database.path)) {
    throw new StartFailure(
      `DATABASE_URL names ${database.path}, which does not exist: ${ownCommand()} migrate makes it.`,
    );
  }
  return openStore(database, store);
}

async function requireCurrent(store: Store): Promise<void> {
  const pending = await store.pendingMigrations().catch(refuseDatabase);
  if (pending === 0) return;
  const steps = pending === 1 ? "one step" : `${pending} steps`;
  throw new StartFailure(`The schema of the database lacks ${steps}: ${ownCommand()} migrate applies them.`);
}

/** The actor of an operator at the command line. Throws a StartFailure when there is no such business. */
export async function actorIn(service: BudgetService, businessId: string): Promise<Actor> {
  if ((await service.businesses.find(businessId)) === null) {
    throw new StartFailure(`There is no business ${businessId}.`);
  }
  return { kind: "system", businessId };
}
