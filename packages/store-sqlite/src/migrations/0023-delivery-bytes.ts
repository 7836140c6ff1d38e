import type { Migration } from "../engine/migrations.js";

const DELIVERIES = `(
  SELECT business_id, payload_id, trail FROM budgetkit_delivery_queue
  UNION ALL SELECT business_id, payload_id, trail FROM budgetkit_delivery_log
)`;

/** Deliveries count for the storage quota: each with its row and attempts, and a payload once. */
export const DELIVERY_BYTES: Migration = {
  version: 23,
  sql: `
    ALTER TABLE budgetkit_storage_use ADD COLUMN delivery_bytes INTEGER NOT NULL DEFAULT 0;
    INSERT INTO budgetkit_storage_use (business_id, budgets, document_bytes, attachment_bytes, delivery_bytes)
    SELECT business_id, 0, 0, 0, sum(bytes) FROM (
      SELECT business_id, 512 + max(0, coalesce(octet_length(trail) - 2, 0) - 256) AS bytes FROM ${DELIVERIES}
      UNION ALL
      SELECT business_id, octet_length(head) + coalesce(octet_length(tail), 0) + coalesce(octet_length(origin), 0)
      FROM (SELECT DISTINCT business_id, payload_id FROM ${DELIVERIES}) AS used
      JOIN budgetkit_payloads AS payloads ON payloads.id = used.payload_id
    ) GROUP BY business_id
    ON CONFLICT (business_id) DO UPDATE SET delivery_bytes = excluded.delivery_bytes;
  `,
};
