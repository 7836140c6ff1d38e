/**
 * The caller holds the lock of the business, so that no other commit changes its counters meanwhile. Bytes are those of
 * documents in UTF-8.
 */
export const STORAGE_FUNCTIONS = `
  -- Freed amounts are negative.
  CREATE OR REPLACE FUNCTION @count_storage(business bigint, more_budgets bigint, more_documents bigint,
    more_attachments bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO @storage_use AS stored (business_id, budgets, document_bytes, attachment_bytes)
    VALUES (business, more_budgets, more_documents, more_attachments)
    ON CONFLICT (business_id) DO UPDATE SET
      budgets = stored.budgets + excluded.budgets,
      document_bytes = stored.document_bytes + excluded.document_bytes,
      attachment_bytes = stored.attachment_bytes + excluded.attachment_bytes
  $$;

  -- Whether a write of so many bytes does not fit. Null = the write has no quota.
  CREATE OR REPLACE FUNCTION @exceeds_quota(business bigint, quota jsonb, more_bytes bigint) RETURNS boolean
  LANGUAGE sql AS $$
    SELECT more_bytes > 0 AND more_bytes + coalesce(
      (SELECT document_bytes + attachment_bytes FROM @storage_use WHERE business_id = business), 0
    ) > (quota ->> 'bytes')::bigint
  $$;

  -- The places of the new budgets that do not fit beside the others. A quota that is null is not checked.
  CREATE OR REPLACE FUNCTION @budgets_beyond_quota(business bigint, sizes bigint[], budget_quotas bigint[],
    byte_quotas bigint[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
  DECLARE
    budgets bigint := 0;
    bytes bigint := 0;
    beyond bigint[] := '{}';
  BEGIN
    SELECT stored.budgets, stored.document_bytes + stored.attachment_bytes INTO budgets, bytes
    FROM @storage_use AS stored WHERE business_id = business;
    budgets := coalesce(budgets, 0);
    bytes := coalesce(bytes, 0);
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
