import { IN_INDEX_ORDER } from "../engine/planner-settings.js";

/** Clears expired secrets of one table. `secret` and `until` are fields of its documents. */
function clearing(table: string, column: string, secret: string, until: string): string {
  return `FOR past IN
      SELECT business_id, id FROM ${table} WHERE ${column} <= now
      ORDER BY ${column} LIMIT how_many
    LOOP
      PERFORM FROM ${table} WHERE business_id = past.business_id AND id = past.id AND ${column} <= now
        FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      UPDATE ${table} SET ${column} = NULL,
        document = (document::jsonb || '{"${secret}": null, "${until}": null}')::text
      WHERE business_id = past.business_id AND id = past.id;
      cleared := cleared + 1;
    END LOOP;`;
}

export const SECRET_FUNCTIONS = `
  -- One at a time and row by row, as sessions are pruned. Skips locked rows: the next run takes them.
  CREATE OR REPLACE FUNCTION @clear_replaced_secrets(now bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    past record;
    cleared integer := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('@clear_replaced_secrets', 0));
    ${clearing("@keys", "previous_webhook_secret_until", "previousSealedWebhookSecret", "previousWebhookSecretUntil")}
    ${clearing("@endpoints", "previous_secret_until", "previousSealedSecret", "previousSecretUntil")}
    RETURN cleared;
  END $$;
`;
