import { asNothing, type Columns, commitFunctions } from "../engine/commit-calls.js";
import { ALONG_INDEXES } from "../engine/planner-settings.js";

export const USAGE_FUNCTIONS = `
  -- Locks rows in the order of their key, so that calls never deadlock.
  CREATE OR REPLACE FUNCTION @add_usage(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @usage AS stored
      (business_id, key_id, grain, at, path, method, requests, errors, refusals, duration_us)
    SELECT business_id, key_id, grain, at, path, method,
      sum(requests)::bigint, sum(errors)::bigint, sum(refusals)::bigint, sum(duration_us)::bigint
    FROM jsonb_populate_recordset(NULL::@usage, argument)
    GROUP BY business_id, key_id, grain, at, path, method
    ORDER BY business_id, key_id, grain, at, path, method
    ON CONFLICT (business_id, key_id, grain, at, path, method) DO UPDATE SET
      requests = stored.requests + excluded.requests,
      errors = stored.errors + excluded.errors,
      refusals = stored.refusals + excluded.refusals,
      duration_us = stored.duration_us + excluded.duration_us;
    RETURN 'null';
  END $$;

  CREATE OR REPLACE FUNCTION @prune_usage(before jsonb, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    of_grain text;
    moment bigint;
    pruned integer;
    pruned_in_all integer := 0;
  BEGIN
    FOR of_grain, moment IN SELECT key, value::bigint FROM jsonb_each_text(before) LOOP
      DELETE FROM @usage WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM @usage WHERE grain = of_grain AND at < moment
        ORDER BY at LIMIT how_many FOR UPDATE SKIP LOCKED
      ));
      GET DIAGNOSTICS pruned = ROW_COUNT;
      pruned_in_all := pruned_in_all + pruned;
    END LOOP;
    RETURN pruned_in_all;
  END $$;
`;

type UsageColumn =
  | "business_id"
  | "key_id"
  | "grain"
  | "at"
  | "path"
  | "method"
  | "requests"
  | "errors"
  | "refusals"
  | "duration_us";

export const USAGE_COMMITS = commitFunctions<{ add_usage: readonly Columns<UsageColumn>[] }>()({
  add_usage: asNothing,
});
