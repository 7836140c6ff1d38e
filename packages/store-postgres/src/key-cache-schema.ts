import { ALONG_INDEXES } from "./planner-settings.js";

/** Who remembers keys, and which keys are being changed. What it is for is told at {@link keyChanges}. */
export const KEY_CACHE_TABLES = `
  -- Numbers renewals of all processes: one that was dropped and comes back does not look as it did before.
  CREATE SEQUENCE @key_cache_renewals;

  CREATE TABLE @key_caches (
    id uuid PRIMARY KEY,
    renewal bigint NOT NULL
  );

  CREATE TABLE @key_changes (
    business_id bigint NOT NULL,
    key_id bigint NOT NULL,
    id uuid NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (business_id, key_id, id)
  );
`;

export const KEY_CACHE_FUNCTIONS = `
  -- Gives what is being changed, as of a moment after it was called. Nobody waits for the disk: what a loss of power
  -- undoes had a connection, and whoever loses that forgets its keys.
  CREATE FUNCTION @renew_key_cache(cache uuid) RETURNS json LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO @key_caches (id, renewal) VALUES (cache, nextval('@key_cache_renewals'))
    ON CONFLICT (id) DO UPDATE SET renewal = excluded.renewal;
    RETURN (
      SELECT coalesce(json_agg(json_build_array(business_id::text, key_id::text, id)), '[]')
      FROM @key_changes WHERE business_id > 0
    );
  END $$;

  CREATE FUNCTION @end_key_cache(cache uuid) RETURNS void LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    DELETE FROM @key_caches WHERE id = cache;
  END $$;

  -- Takes away what processes left behind that died over a change: those who are still at it begin anew.
  CREATE FUNCTION @begin_key_change(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    change @key_changes := jsonb_populate_record(NULL::@key_changes, argument);
  BEGIN
    DELETE FROM @key_changes WHERE (business_id, key_id, id) IN (
      SELECT business_id, key_id, id FROM @key_changes
      WHERE business_id > 0 AND begun_at < clock_timestamp() - interval '1 minute' FOR UPDATE SKIP LOCKED
    );
    INSERT INTO @key_changes (business_id, key_id, id) VALUES (change.business_id, change.key_id, change.id);
    PERFORM pg_notify(argument ->> 'channel', concat_ws(' ', 'changing', change.id, change.business_id, change.key_id));
    RETURN 'null';
  END $$;

  CREATE FUNCTION @key_caches_beside(cache uuid) RETURNS json LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    RETURN (
      SELECT coalesce(json_agg(json_build_array(id, renewal)), '[]')
      FROM @key_caches WHERE id >= '00000000-0000-0000-0000-000000000000' AND id <> cache
    );
  END $$;

  -- Those that have renewed their lease since are alive, and stay.
  CREATE FUNCTION @drop_key_caches(caches jsonb) RETURNS void LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    DELETE FROM @key_caches AS stored USING jsonb_array_elements(caches) AS silent
    WHERE stored.id = (silent ->> 0)::uuid AND stored.renewal = (silent ->> 1)::bigint;
  END $$;
`;

export const KEY_CACHE_CALLS = ["begin_key_change"];
