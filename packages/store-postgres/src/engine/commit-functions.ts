import { ALONG_INDEXES } from "./planner-settings.js";

/**
 * `commit_batch` runs a batch of one process in its own transaction, `commit_within` runs it in the transaction of a host.
 * A lock of the business makes its calls run one after the other. Every batch takes its locks in ascending order, so that
 * batches never deadlock.
 */
export const COMMIT_FUNCTIONS = `
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

  -- An answer for each argument: one for those at the places, another for the rest.
  CREATE OR REPLACE FUNCTION @answer_each(arguments jsonb, places bigint[], here text, elsewhere text) RETURNS jsonb
  LANGUAGE sql AS $$
    SELECT jsonb_agg(CASE WHEN place = ANY (places) THEN here ELSE elsewhere END ORDER BY place)
    FROM generate_series(1, jsonb_array_length(arguments)) AS place
  $$;

  -- Runs the calls of a batch; a bundle is a list of arguments for one function and one business. All run at once. When
  -- one fails, all are undone and each runs in its own savepoint, so that it fails alone. Errors that may pass (classes
  -- 40, 53, 57, 58) fail the whole batch. The timeout is that of all locks together, in milliseconds.
  -- "texts" are rows, a text for each column; the argument of a call has the number of its first text.
  CREATE OR REPLACE FUNCTION @apply(bundles jsonb, texts text[], timeout_ms integer) RETURNS jsonb
  LANGUAGE plpgsql AS $$
  DECLARE
    business bigint;
    busy bigint[] := '{}';
    bundle jsonb;
    argument jsonb;
    answers jsonb[] := '{}';
    apart jsonb[];
    locks_until timestamptz := clock_timestamp() + make_interval(secs => timeout_ms / 1000.0);
  BEGIN
    FOR business IN
      SELECT DISTINCT (value ->> 'business')::bigint AS id FROM jsonb_array_elements(bundles)
      WHERE value ->> 'business' IS NOT NULL ORDER BY id
    LOOP
      IF NOT @lock_business(business, (extract(epoch FROM locks_until - clock_timestamp()) * 1000)::integer) THEN
        busy := busy || business;
      END IF;
    END LOOP;

    BEGIN
      FOR bundle IN SELECT value FROM jsonb_array_elements(bundles) LOOP
        IF (bundle ->> 'business')::bigint = ANY (busy) THEN
          answers := answers || '{"busy": true}'::jsonb;
        ELSE
          answers := answers || jsonb_build_object('values', @perform_commit(bundle ->> 'call', bundle -> 'with', texts));
        END IF;
      END LOOP;
      RETURN to_jsonb(answers);
    EXCEPTION WHEN OTHERS THEN
      IF SQLSTATE ~ '^(40|53|57|58)' THEN RAISE; END IF;
    END;

    answers := '{}';
    FOR bundle IN SELECT value FROM jsonb_array_elements(bundles) LOOP
      IF (bundle ->> 'business')::bigint = ANY (busy) THEN
        answers := answers || '{"busy": true}'::jsonb;
        CONTINUE;
      END IF;
      apart := '{}';
      FOR argument IN SELECT value FROM jsonb_array_elements(bundle -> 'with') LOOP
        BEGIN
          apart := apart
            || jsonb_build_object('value', @perform_commit(bundle ->> 'call', jsonb_build_array(argument), texts) -> 0);
        EXCEPTION WHEN OTHERS THEN
          IF SQLSTATE ~ '^(40|53|57|58)' THEN RAISE; END IF;
          apart := apart || jsonb_build_object('error', SQLERRM, 'code', SQLSTATE);
        END;
      END LOOP;
      answers := answers || jsonb_build_object('apart', to_jsonb(apart));
    END LOOP;
    RETURN to_jsonb(answers);
  END $$;

  -- Refuses to run outside of a transaction, where each call would be committed by itself.
  CREATE OR REPLACE FUNCTION @commit_within(bundles jsonb, texts text[], timeout_ms integer) RETURNS jsonb
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    IF transaction_timestamp() = statement_timestamp() THEN
      RAISE EXCEPTION 'no transaction is open' USING ERRCODE = 'no_active_sql_transaction';
    END IF;
    RETURN @apply(bundles, texts, timeout_ms);
  END $$;

  -- The answers of a batch that was committed before; null = none. A repeated batch waits for its first attempt.
  CREATE OR REPLACE FUNCTION @answers_of(batch uuid) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('@batch:' || batch, 0));
    RETURN (SELECT answers FROM @batches WHERE id = batch);
  END $$;

  CREATE OR REPLACE FUNCTION @commit_batch(batch uuid, bundles jsonb, texts text[], timeout_ms integer) RETURNS jsonb
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    known jsonb;
  BEGIN
    known := @answers_of(batch);
    IF known IS NOT NULL THEN RETURN known; END IF;
    known := @apply(bundles, texts, timeout_ms);
    INSERT INTO @batches (id, answers) VALUES (batch, known);
    RETURN known;
  END $$;

  -- Commits, and returns the bodies of the deliveries with these keys; null = it was not made.
  CREATE OR REPLACE FUNCTION @commit_planned_batch(batch uuid, bundles jsonb, texts text[], timeout_ms integer,
    businesses bigint[], ids bigint[], OUT answers jsonb, OUT bodies json) LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    answers := @commit_batch(batch, bundles, texts, timeout_ms);
    bodies := to_json(ARRAY(
      SELECT (
        SELECT coalesce(head || given.id || tail, head) FROM @delivery_bodies AS stored
        WHERE stored.business_id = given.business AND stored.id = (
          SELECT body_id FROM @delivery_queue AS queued
          WHERE queued.business_id = given.business AND queued.id = given.id
        )
      )
      FROM unnest(businesses, ids) WITH ORDINALITY AS given (business, id, place) ORDER BY place
    ));
  END $$;
`;

/**
 * The function that calls another by its name, with a list of arguments, and returns the list of answers. A
 * `withTexts` function takes the whole list and the texts, a `single` one an argument at a time.
 *
 * The release before had another name for it. So its batches that run during an upgrade fail as a whole, because the
 * functions of this release do not read their arguments.
 */
export function performFunction({ single, withTexts }: Record<Kind, readonly string[]>): string {
  const branches = (names: readonly string[], carryOut: (name: string) => string): string =>
    names.map((name) => `WHEN '${name}' THEN ${carryOut(name)};`).join("\n      ");
  return `
  CREATE OR REPLACE FUNCTION @perform_commit(call text, arguments jsonb, texts text[]) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    argument jsonb;
    answer jsonb;
    answers jsonb[] := '{}';
  BEGIN
    CASE call
      ${branches(withTexts, (name) => `RETURN @${name}(arguments, texts)`)}
      ELSE NULL;
    END CASE;
    FOR argument IN SELECT value FROM jsonb_array_elements(arguments) LOOP
      CASE call
      ${branches(single, (name) => `answer := @${name}(argument)`)}
      END CASE;
      answers := answers || answer;
    END LOOP;
    RETURN to_jsonb(answers);
  END $$;
  `;
}

type Kind = "single" | "withTexts";
