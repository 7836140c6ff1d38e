import { DELIVERY_BYTES, FREE_ATTEMPT_BYTES } from "@budgetkit/store-kit";

/** What a delivery with this trail counts beyond {@link DELIVERY_BYTES}, as `bytesOfAttempts` of core does. */
export function bytesOfTrail(trail: string): string {
  return `greatest(0, octet_length(${trail}) - ${FREE_ATTEMPT_BYTES})`;
}

/** What a row of new deliveries counts: one that brings the body counts that too. */
export const BYTES_OF_ADDED = `${DELIVERY_BYTES} + octet_length(concat(head, tail, origin))`;

/**
 * Counts what `rows` have as `more`, by business. The dispatcher does not take the locks of businesses, since a host's
 * transaction may hold one for long; so it has counters of its own. A transaction counts in one statement, in the order of
 * businesses, and waits for no other row after it: no two deadlock.
 */
export function countingDeliveries(rows: string): string {
  return `INSERT INTO @delivery_use AS stored (business_id, bytes)
    SELECT business_id, sum(more) FROM ${rows} GROUP BY business_id HAVING sum(more) <> 0 ORDER BY business_id
    ON CONFLICT (business_id) DO UPDATE SET bytes = stored.bytes + excluded.bytes`;
}

/**
 * The caller holds the lock of the business, so that no other commit changes its counters meanwhile. Bytes are those of
 * documents in UTF-8.
 */
export const STORAGE_FUNCTIONS = `
  -- Freed amounts are negative.
  CREATE OR REPLACE FUNCTION @count_storage(business bigint, more_budgets bigint, more_documents bigint,
    more_attachments bigint, more_deliveries bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO @storage_use AS stored (business_id, budgets, document_bytes, attachment_bytes, delivery_bytes)
    VALUES (business, more_budgets, more_documents, more_attachments, more_deliveries)
    ON CONFLICT (business_id) DO UPDATE SET
      budgets = stored.budgets + excluded.budgets,
      document_bytes = stored.document_bytes + excluded.document_bytes,
      attachment_bytes = stored.attachment_bytes + excluded.attachment_bytes,
      delivery_bytes = stored.delivery_bytes + excluded.delivery_bytes
  $$;

  CREATE OR REPLACE FUNCTION @stored_bytes(business bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce(
      (SELECT document_bytes + attachment_bytes + delivery_bytes FROM @storage_use WHERE business_id = business), 0
    ) + coalesce((SELECT bytes FROM @delivery_use WHERE business_id = business), 0)
  $$;

  -- Whether a write of so many bytes does not fit. Null = the write has no quota.
  CREATE OR REPLACE FUNCTION @exceeds_quota(business bigint, quota jsonb, more_bytes bigint) RETURNS boolean
  LANGUAGE sql AS $$
    SELECT more_bytes > 0 AND more_bytes + @stored_bytes(business) > (quota ->> 'bytes')::bigint
  $$;

  -- The places of the new budgets that do not fit beside the others. A quota that is null is not checked.
  CREATE OR REPLACE FUNCTION @budgets_beyond_quota(business bigint, sizes bigint[], budget_quotas bigint[],
    byte_quotas bigint[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
  DECLARE
    budgets bigint := coalesce((SELECT stored.budgets FROM @storage_use AS stored WHERE business_id = business), 0);
    bytes bigint := @stored_bytes(business);
    beyond bigint[] := '{}';
  BEGIN
    IF NOT coalesce(budgets + cardinality(sizes) > ANY (budget_quotas)
      OR bytes + (SELECT sum(size) FROM unnest(sizes) AS size) > ANY (byte_quotas), false) THEN RETURN beyond; END IF;
    FOR place IN 1 .. cardinality(sizes) LOOP
      IF budgets + 1 > budget_quotas[place] OR bytes + sizes[place] > byte_quotas[place] THEN
        beyond := beyond || place::bigint;
      ELSE
        budgets := budgets + 1;
        bytes := bytes + sizes[place];
      END IF;
    END LOOP;
    RETURN beyond;
  END $$;
`;
