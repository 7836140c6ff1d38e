import { SCHEMA_VERSION } from "../schema-version.js";

/** How long a transaction waits for the next statement of its process. */
const ANSWERS_WITHIN_MS = 15_000;

/** The locks of businesses, which order the writes of each. */
export const LOCK_FUNCTIONS = `
  -- Locks the business until the transaction ends. False when another transaction holds the lock for longer than the
  -- timeout; 0 = do not wait.
  CREATE OR REPLACE FUNCTION @lock_business(business bigint, timeout_ms integer) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    lock_id bigint := hashtextextended('@business:' || business, 0);
    outer_timeout text := current_setting('lock_timeout');
  BEGIN
    IF pg_try_advisory_xact_lock(lock_id) THEN RETURN true; END IF;
    IF timeout_ms <= 0 THEN RETURN false; END IF;
    PERFORM set_config('lock_timeout', timeout_ms::text, true);
    PERFORM pg_advisory_xact_lock(lock_id);
    PERFORM set_config('lock_timeout', outer_timeout, true);
    RETURN true;
  EXCEPTION WHEN lock_not_available THEN
    RETURN false;
  END $$;

  -- Refuses a process of another release, whose statements may not fit the schema.
  CREATE OR REPLACE FUNCTION @require_version(of_version integer) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF of_version <> ${SCHEMA_VERSION} THEN
      RAISE EXCEPTION 'the schema has version ${SCHEMA_VERSION}' USING ERRCODE = 'undefined_function';
    END IF;
  END $$;

  -- Locks the business for a transaction of a host.
  CREATE OR REPLACE FUNCTION @join_business(business bigint, timeout_ms integer, of_version integer) RETURNS boolean
  LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM @require_version(of_version);
    RETURN @lock_business(business, timeout_ms);
  END $$;

  -- Begins a batch: a batch that was committed before fails with a duplicate, and one that is being committed is waited for.
  -- Locks the businesses in ascending order, so that batches never deadlock, and returns those that it could not lock within
  -- the timeout, which is that of all locks together; where all are required, it fails instead. Statements of the batch are
  -- planned once, along indexes, and use PostgreSQL's own functions and operators, even if a user of the database has made
  -- others of that name.
  CREATE OR REPLACE FUNCTION @begin_batch(batch uuid, businesses bigint[], timeout_ms integer, is_required boolean,
    of_version integer) RETURNS json LANGUAGE plpgsql AS $$
  DECLARE
    business bigint;
    busy bigint[] := '{}';
    locks_until timestamptz := clock_timestamp() + make_interval(secs => timeout_ms / 1000.0);
  BEGIN
    -- A process that stops between two statements gives the locks back.
    PERFORM set_config('idle_in_transaction_session_timeout', '${ANSWERS_WITHIN_MS}', true),
      set_config('search_path', 'pg_catalog, pg_temp', true),
      set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
      set_config('enable_bitmapscan', 'off', true), set_config('jit', 'off', true);
    INSERT INTO @batches (id, answers) VALUES (batch, '[]');
    PERFORM @require_version(of_version); -- behind the table where a batch waits for a migration
    FOREACH business IN ARRAY businesses LOOP
      IF NOT @lock_business(business, (extract(epoch FROM locks_until - clock_timestamp()) * 1000)::integer) THEN
        IF is_required THEN PERFORM @refuse_unexpected(); END IF;
        busy := busy || business;
      END IF;
    END LOOP;
    RETURN array_to_json(busy);
  END $$;
`;
