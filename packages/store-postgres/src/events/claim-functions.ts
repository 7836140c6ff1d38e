import { ALONG_INDEXES } from "../engine/planner-settings.js";

export const CLAIM_FUNCTIONS = `
  -- One at a time and row by row, as sessions are pruned. Also deletes the ids of batches: no batch is repeated after an hour.
  CREATE OR REPLACE FUNCTION @prune_claims(now bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    over record;
    pruned integer := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('@prune_claims', 0));
    FOR over IN
      SELECT business_id, key FROM @claims WHERE expires_at < now
      ORDER BY expires_at LIMIT how_many
    LOOP
      PERFORM FROM @claims WHERE business_id = over.business_id AND key = over.key AND expires_at < now
        FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      DELETE FROM @claims WHERE business_id = over.business_id AND key = over.key;
      pruned := pruned + 1;
    END LOOP;
    DELETE FROM @batches WHERE id = ANY (ARRAY(
      SELECT id FROM @batches WHERE committed_at < clock_timestamp() - interval '1 hour'
      ORDER BY committed_at LIMIT 10000 FOR UPDATE SKIP LOCKED
    ));
    RETURN pruned;
  END $$;
`;
