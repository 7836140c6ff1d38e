import { ALONG_INDEXES } from "../engine/planner-settings.js";

export const USAGE_FUNCTIONS = `
  -- One at a time and row by row, as sessions are pruned.
  CREATE OR REPLACE FUNCTION @prune_usage(before jsonb, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    of_grain text;
    moment bigint;
    over record;
    pruned integer := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('@prune_usage', 0));
    FOR of_grain, moment IN SELECT key, value::bigint FROM jsonb_each_text(before) LOOP
      FOR over IN
        SELECT business_id, key_id, grain, at, path, method FROM @usage WHERE grain = of_grain AND at < moment
        ORDER BY at LIMIT how_many
      LOOP
        PERFORM FROM @usage WHERE business_id = over.business_id AND key_id = over.key_id AND grain = over.grain
          AND at = over.at AND path = over.path AND method = over.method FOR UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        DELETE FROM @usage WHERE business_id = over.business_id AND key_id = over.key_id AND grain = over.grain
          AND at = over.at AND path = over.path AND method = over.method;
        pruned := pruned + 1;
      END LOOP;
    END LOOP;
    RETURN pruned;
  END $$;
`;
