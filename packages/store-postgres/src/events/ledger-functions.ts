import { ALONG_INDEXES, IN_INDEX_ORDER } from "../engine/planner-settings.js";

export const LEDGER_FUNCTIONS = `
  -- One statement: one snapshot.
  CREATE OR REPLACE FUNCTION @ledger_bounds(business bigint) RETURNS json LANGUAGE plpgsql STABLE ${ALONG_INDEXES} AS $$
  BEGIN
    RETURN (
      SELECT json_build_array(
        started.sequence, started.hash, started.checkpoint, counter.last_sequence, counter.last_hash,
        (SELECT min(sequence) FROM @undispatched_events WHERE business_id = business),
        beginning.sequence, beginning.missing, beginning.statement
      )
      FROM (SELECT business AS id) AS asked
      LEFT JOIN @ledger_starts AS started ON started.business_id = asked.id
      LEFT JOIN @ledger_beginnings AS beginning ON beginning.business_id = asked.id
      LEFT JOIN @event_counters AS counter ON counter.business_id = asked.id
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
