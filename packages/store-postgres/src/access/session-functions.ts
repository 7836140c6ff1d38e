import { ALONG_INDEXES } from "../engine/planner-settings.js";

export const SESSION_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @prune_sessions(before bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    over record;
    pruned integer := 0;
  BEGIN
    FOR over IN
      SELECT business_id, id FROM @sessions WHERE least(ended_at, refresh_expires_at) < before
      ORDER BY least(ended_at, refresh_expires_at) LIMIT how_many FOR UPDATE SKIP LOCKED
    LOOP
      DELETE FROM @sessions WHERE business_id = over.business_id AND id = over.id;
      pruned := pruned + 1;
    END LOOP;
    RETURN pruned;
  END $$;
`;
