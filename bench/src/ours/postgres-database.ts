import { onClient } from "../harness/postgres.js";
import { fillStore, type OurDatabase } from "./database.js";
import { openPostgresService } from "./postgres-service.js";

const WRITTEN = 1_000;
const INDEXED_AT_ONCE = 1_000;

/**
 * Fills an empty database with that many budgets, a multiple of a thousand: a thousand are written by the store, and the
 * others are copies of them, with ids and moments of their own.
 */
export async function ourPostgres(url: string, budgets: number): Promise<OurDatabase> {
  const { service, store, close } = openPostgresService(url, "memory");
  const filled = await fillStore(service, store, WRITTEN);
  const times = budgets / WRITTEN;
  await store.reserveIds(filled.businessId, budgets);
  await close();
  await onClient(url, async (client) => {
    await client.query(COPY, [times]);
    await client.query("UPDATE budgetkit.budget_sums SET budgets = budgets * $1::int, total = total * $1::int", [
      times,
    ]);
  });
  await indexTexts(url);
  await onClient(url, async (client) => {
    await client.query("VACUUM ANALYZE");
    await client.query("CHECKPOINT");
  });
  return { path: url, ...filled, budgets };
}

/** Takes the copied texts into the index of the search, as the maintenance of a running service does. */
async function indexTexts(url: string): Promise<void> {
  const { store, close } = openPostgresService(url, "memory");
  while ((await store.indexTexts?.(INDEXED_AT_ONCE)) !== 0);
  await close();
}

/** The ids of items begin with that of their budget. */
const COPY = `
  INSERT INTO budgetkit.budgets
    (business_id, id, version, revision, status, customer_id, currency, total, total_minor, created_at, valid_until,
      public_token_hash, search_text, document)
  SELECT business_id, copy.id, version, revision, status, customer_id, currency, total, total_minor, copy.created_at,
    valid_until, public_token_hash, search_text,
    replace(replace(document, '"id":"' || budgets.id, '"id":"' || copy.id),
      budgets.created_at::text, copy.created_at::text)
  FROM generate_series(1, $1::int - 1) AS turn
  CROSS JOIN budgetkit.budgets
  CROSS JOIN LATERAL (
    SELECT budgets.id + turn * ${WRITTEN} AS id, budgets.created_at + turn * ${WRITTEN}000 AS created_at
  ) AS copy
`;
