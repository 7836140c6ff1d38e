import { ALONG_INDEXES } from "../engine/planner-settings.js";

export const SESSION_FUNCTIONS = `
  -- One at a time: two would find the same rows. Locks row by row, which Citus can route. Skips locked rows.
  CREATE OR REPLACE FUNCTION @prune_sessions(before bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    over record;
    pruned integer := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('@prune_sessions', 0));
    FOR over IN
      SELECT business_id, id FROM @sessions WHERE least(ended_at, refresh_expires_at) < before
      ORDER BY least(ended_at, refresh_expires_at) LIMIT how_many
    LOOP
      PERFORM FROM @sessions WHERE business_id = over.business_id AND id = over.id
        AND least(ended_at, refresh_expires_at) < before FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      DELETE FROM @sessions WHERE business_id = over.business_id AND id = over.id;
      pruned := pruned + 1;
    END LOOP;
    RETURN pruned;
  END $$;
`;
