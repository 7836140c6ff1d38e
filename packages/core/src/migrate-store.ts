import type { Clock } from "./kernel/clock.js";
import type { Store } from "./store.js";
import type { Logger } from "./telemetry/logger.js";

/**
 * Migrates the store, and logs a line before and after when steps are missing: a step over a large table takes long. Where
 * many processes start at once, each logs the steps that it found missing, and one of them applies them.
 */
export async function migrateStore(
  store: Pick<Store, "migrate" | "pendingMigrations">,
  logger: Logger | null,
  clock: Clock,
): Promise<void> {
  const steps = logger === null ? 0 : await store.pendingMigrations();
  if (logger === null || steps === 0) return store.migrate();
  logger.info({ steps }, "migrating the schema");
  const startedAt = clock.monotonicMs();
  await store.migrate();
  logger.info({ steps, durationMs: Math.round(clock.monotonicMs() - startedAt) }, "migrated the schema");
}
