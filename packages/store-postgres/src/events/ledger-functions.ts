import { asInteger } from "@budgetkit/store-kit";
import { type Columns, commitFunctions } from "../engine/commit-calls.js";
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

  -- The caller holds the lock of the business, which keeps commits off its counters.
  CREATE OR REPLACE FUNCTION @prune_ledger(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    start @ledger_starts := jsonb_populate_record(NULL::@ledger_starts, argument -> 'start');
    former bigint := (argument ->> 'former')::bigint;
    removed bigint;
    bytes bigint;
  BEGIN
    IF former <> coalesce((SELECT sequence FROM @ledger_starts WHERE business_id = start.business_id), 0) THEN
      RETURN '0';
    END IF;
    INSERT INTO @ledger_starts SELECT start.* ON CONFLICT (business_id)
    DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, checkpoint = excluded.checkpoint;
    WITH gone AS (
      DELETE FROM @events WHERE business_id = start.business_id AND sequence > former AND sequence <= start.sequence
      RETURNING split_part(type, '.', 1) AS kind, subject_id, revision, octet_length(document) AS size
    ), kept AS (
      INSERT INTO @former_revisions AS stored (business_id, kind, subject_id, revision)
      SELECT start.business_id, kind, subject_id, max(revision) FROM gone GROUP BY kind, subject_id
      ON CONFLICT (business_id, kind, subject_id) DO UPDATE SET revision = greatest(stored.revision, excluded.revision)
    )
    SELECT count(*), coalesce(sum(size), 0) INTO removed, bytes FROM gone;
    PERFORM @count_storage(start.business_id, 0, -bytes, 0, 0);
    RETURN to_jsonb(removed);
  END $$;
`;

export const LEDGER_COMMITS = commitFunctions<{
  prune_ledger: { start: Columns<"business_id" | "sequence" | "hash" | "checkpoint">; former: number };
}>()({ prune_ledger: asInteger });
