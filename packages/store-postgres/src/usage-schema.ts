import { ALONG_INDEXES } from "./planner-settings.js";

/** Usage statistics: how many requests there were of each key, grain, moment and route. */
export const USAGE_TABLES = `
  CREATE TABLE @usage (
    business_id bigint NOT NULL,
    key_id bigint NOT NULL, -- -1 = all keys of the business
    grain text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    path text COLLATE "C" NOT NULL,
    method text COLLATE "C" NOT NULL,
    requests bigint NOT NULL,
    errors bigint NOT NULL,
    refusals bigint NOT NULL,
    duration_us bigint NOT NULL
  ) WITH (fillfactor = 80); -- rows of an hour or a day are added to again and again
  CREATE INDEX usage_by_age ON @usage (grain, at);
  ALTER TABLE @usage ADD PRIMARY KEY (business_id, key_id, grain, at, path, method);
`;

export const USAGE_FUNCTIONS = `
  -- Rows are taken in the order of their key, so that two who add to the same ones never wait for each other in a circle.
  CREATE FUNCTION @add_usage(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
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

  CREATE FUNCTION @prune_usage(before jsonb, how_many integer) RETURNS integer
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

export const USAGE_CALLS = ["add_usage"];
