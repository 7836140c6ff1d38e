import { ALONG_INDEXES } from "./planner-settings.js";

/**
 * How calls are carried out: `commit` for those of one process that wait together, `apply` for those that become a part
 * of a transaction that is open already. Calls of one business wait for one another by a lock of that business, which
 * all of a batch take in ascending order, so that batches never wait for each other in a circle.
 */
export const COMMIT_TABLES = `
  CREATE TABLE @ids (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    next bigint NOT NULL
  );
  INSERT INTO @ids (next) VALUES (1001);

  -- What batches were answered, for as long as one whose connection was lost may be sent again.
  CREATE TABLE @batches (
    id uuid PRIMARY KEY,
    answers jsonb NOT NULL,
    committed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX batches_by_age ON @batches (committed_at);

  -- Waits for the business until the transaction ends; false when that took longer than the patience, in milliseconds.
  -- Without patience it is taken only when nobody has it.
  CREATE FUNCTION @lock_business(business bigint, patience integer) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    place bigint := hashtextextended('@business:' || business, 0);
    given text := current_setting('lock_timeout');
  BEGIN
    IF pg_try_advisory_xact_lock(place) THEN RETURN true; END IF;
    IF patience <= 0 THEN RETURN false; END IF;
    PERFORM set_config('lock_timeout', patience::text, true);
    PERFORM pg_advisory_xact_lock(place);
    PERFORM set_config('lock_timeout', given, true);
    RETURN true;
  EXCEPTION WHEN lock_not_available THEN
    RETURN false;
  END $$;

  -- One answer for those at the places, another for the rest.
  CREATE FUNCTION @told(arguments jsonb, places bigint[], here text, elsewhere text) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_agg(CASE WHEN place = ANY (places) THEN here ELSE elsewhere END ORDER BY place)
    FROM generate_series(1, jsonb_array_length(arguments)) AS place
  $$;

  -- Carries out bundles: of one function and one business each, a list of arguments. All of them are carried out at
  -- once. When that fails they are undone and carried out one by one, so that each fails by itself, but for what speaks
  -- of the moment, which fails them all. What was undone is so before anybody is told.
  -- Plans are kept for long: one that reads a table whole, made while it was small, would stay while it grows.
  CREATE FUNCTION @apply(bundles jsonb, patience integer) RETURNS jsonb
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    business bigint;
    busy bigint[] := '{}';
    bundle jsonb;
    argument jsonb;
    answers jsonb[] := '{}';
    apart jsonb[];
    patient_until timestamptz := clock_timestamp() + make_interval(secs => patience / 1000.0);
  BEGIN
    FOR business IN
      SELECT DISTINCT (value ->> 'business')::bigint AS id FROM jsonb_array_elements(bundles)
      WHERE value ->> 'business' IS NOT NULL ORDER BY id
    LOOP
      IF NOT @lock_business(business, (extract(epoch FROM patient_until - clock_timestamp()) * 1000)::integer) THEN
        busy := busy || business;
      END IF;
    END LOOP;

    BEGIN
      FOR bundle IN SELECT value FROM jsonb_array_elements(bundles) LOOP
        IF (bundle ->> 'business')::bigint = ANY (busy) THEN
          answers := answers || '{"busy": true}'::jsonb;
        ELSE
          answers := answers || jsonb_build_object('values', @perform(bundle ->> 'call', bundle -> 'with'));
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
            || jsonb_build_object('value', @perform(bundle ->> 'call', jsonb_build_array(argument)) -> 0);
        EXCEPTION WHEN OTHERS THEN
          IF SQLSTATE ~ '^(40|53|57|58)' THEN RAISE; END IF;
          apart := apart || jsonb_build_object('error', SQLERRM, 'code', SQLSTATE);
        END;
      END LOOP;
      answers := answers || jsonb_build_object('apart', to_jsonb(apart));
    END LOOP;
    RETURN to_jsonb(answers);
  END $$;

  -- For a host's own transaction: without one, each call would be committed by itself.
  CREATE FUNCTION @apply_within(bundles jsonb, patience integer) RETURNS jsonb
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    IF transaction_timestamp() = statement_timestamp() THEN
      RAISE EXCEPTION 'no transaction is open' USING ERRCODE = 'no_active_sql_transaction';
    END IF;
    RETURN @apply(bundles, patience);
  END $$;

  -- A batch that is sent again waits for the one that is still under way, and is answered as that was.
  CREATE FUNCTION @commit(batch uuid, bundles jsonb, patience integer) RETURNS jsonb
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    given jsonb;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('@batch:' || batch, 0));
    SELECT answers INTO given FROM @batches WHERE id = batch;
    IF FOUND THEN RETURN given; END IF;
    given := @apply(bundles, patience);
    INSERT INTO @batches (id, answers) VALUES (batch, given);
    RETURN given;
  END $$;
`;

/**
 * The function that calls those that change rows by their names, with a list of arguments for each, and gives a list of
 * answers. Those of `bulk` take the whole list themselves, the others an argument at a time.
 */
export function performFunction({ single, bulk }: { single: readonly string[]; bulk: readonly string[] }): string {
  const branches = (names: readonly string[], carryOut: (name: string) => string): string =>
    names.map((name) => `WHEN '${name}' THEN ${carryOut(name)};`).join("\n      ");
  return `
  CREATE FUNCTION @perform(call text, arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    argument jsonb;
    answer jsonb;
    answers jsonb[] := '{}';
  BEGIN
    CASE call
      ${branches(bulk, (name) => `RETURN @${name}(arguments)`)}
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
