import { ALONG_INDEXES, IN_INDEX_ORDER } from "../engine/planner-settings.js";

export const LEDGER_FUNCTIONS = `
  -- One statement: one snapshot.
  CREATE OR REPLACE FUNCTION @ledger_bounds(business bigint) RETURNS json LANGUAGE plpgsql STABLE ${ALONG_INDEXES} AS $$
  BEGIN
    RETURN (
      SELECT json_build_array(
        (SELECT json_build_array(sequence, hash, checkpoint) FROM @ledger_starts WHERE business_id = business),
        (SELECT json_build_array(last_sequence, last_hash) FROM @event_counters WHERE business_id = business),
        (SELECT min(sequence) FROM @undispatched_events WHERE business_id = business),
        (SELECT json_build_array(sequence, missing, statement) FROM @ledger_beginnings WHERE business_id = business)
      )
    );
  END $$;

  CREATE OR REPLACE FUNCTION @aged_ledgers(before bigint, how_many integer, without bigint[]) RETURNS bigint[]
  LANGUAGE plpgsql STABLE ${IN_INDEX_ORDER} AS $$
  BEGIN
    RETURN ARRAY(SELECT DISTINCT business_id FROM (
      SELECT business_id FROM @events WHERE occurred_at < before AND business_id <> ALL (without)
      ORDER BY occurred_at LIMIT how_many
    ) AS aged);
  END $$;
`;
