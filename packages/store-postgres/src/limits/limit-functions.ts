import { ALONG_INDEXES } from "../engine/planner-settings.js";

/** Timestamps in a row of `rate_chunks`: a kilobyte, which is stored inline. */
const CHUNK = 128;

/**
 * `consume_runs` decides for many subjects in one transaction. It locks them in ascending order, so that transactions never
 * deadlock. `consume_subject` and the deletion of a subject run under its lock, `count_admitted` without one. A parameter
 * that is a subject is called `asker`: in SQL, `subject` is the column.
 */
export const LIMIT_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @rate_lock(asker text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended('@rate:' || asker, 0) -- the name of the schema is added: schemas share locks
  $$;

  CREATE OR REPLACE FUNCTION @database_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  $$;

  -- The first admission in the chunks, from number "head" on, that is later than the cutoff; no row = none.
  CREATE OR REPLACE FUNCTION @first_in_chunks(asker text, head bigint, cutoff bigint)
  RETURNS TABLE (number bigint, moment bigint) LANGUAGE sql STABLE AS $$
    SELECT first + width_bucket(cutoff, moments), moments[width_bucket(cutoff, moments) + 1] FROM @rate_chunks
    WHERE subject = asker AND first > head - ${CHUNK} AND moments[${CHUNK}] > cutoff ORDER BY first LIMIT 1
  $$;

  CREATE OR REPLACE FUNCTION @moved_back(moments bigint[], by_ms bigint) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(array_agg(moment - by_ms ORDER BY place), '{}')
    FROM unnest(moments) WITH ORDINALITY AS listed (moment, place)
  $$;

  CREATE OR REPLACE FUNCTION @moment_in_chunks(asker text, number bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT moments[number - first + 1] FROM @rate_chunks
    WHERE subject = asker AND first > number - ${CHUNK} AND first <= number
  $$;

  -- Decides as SlidingWindowLog in core does, over the rows of rate_subjects and rate_chunks, whose columns step 1 describes.
  -- Each of "runs" is a number of calls that ask the same: the number, the time of the caller's clock, then the limit of
  -- each window. Returns five numbers for each: how many of its calls are admitted, the count of the longest window before
  -- them and the time when it frees; the window that refuses the other calls, from 1, or 0, and when that frees.
  CREATE OR REPLACE FUNCTION @consume_subject(asker text, lengths bigint[], runs bigint[], by_database boolean)
  RETURNS bigint[] LANGUAGE plpgsql AS $$
  <<decided>>
  DECLARE
    is_known boolean;
    is_changed boolean := false;
    idle_at bigint;
    asked_at bigint;
    admitted bigint;
    heads bigint[];
    oldest bigint[];
    recent bigint[];
    before bigint; -- how many admissions are older than those in recent
    run bigint[];
    now bigint;
    ahead bigint; -- by how much the database's clock is ahead of the caller's
    cutoff bigint;
    head bigint;
    granted bigint;
    used bigint;
    leaves bigint; -- the admission with which the window frees when it is full
    since bigint;
    frees_at bigint; -- of the longest window
    refused_by bigint;
    frees_last bigint;
    answers bigint[] := '{}';
  BEGIN
    SELECT s.idle_at, s.asked_at, s.admitted, s.heads, s.oldest, s.recent
    INTO idle_at, asked_at, admitted, heads, oldest, recent FROM @rate_subjects AS s WHERE subject = asker;
    is_known := FOUND;

    FOREACH run SLICE 1 IN ARRAY runs LOOP
      -- the time
      now := CASE WHEN by_database THEN @database_now() ELSE run[2] END;
      ahead := now - run[2];
      IF by_database AND asked_at > now THEN -- the clock was set back: what was admitted is as old as it was
        UPDATE @rate_chunks SET moments = @moved_back(moments, asked_at - now) WHERE subject = asker;
        oldest := @moved_back(oldest, asked_at - now);
        recent := @moved_back(recent, asked_at - now);
        idle_at := idle_at - (asked_at - now);
        asked_at := now;
        is_changed := true;
      END IF;
      IF asked_at IS NULL THEN
        idle_at := now + lengths[1];
        admitted := 0;
        heads := array_fill(1::bigint, ARRAY[cardinality(lengths)]);
        oldest := array_fill(NULL::bigint, ARRAY[cardinality(lengths)]);
        recent := '{}';
      END IF;
      IF asked_at IS NULL OR now > asked_at THEN
        asked_at := now;
        is_changed := true;
      END IF;
      before := admitted - cardinality(recent);

      -- how many calls all windows have room for
      granted := run[1];
      FOR i IN 1 .. cardinality(lengths) LOOP
        cutoff := asked_at - lengths[i];
        IF oldest[i] <= cutoff THEN
          head := NULL;
          IF heads[i] <= before THEN
            SELECT number, moment INTO head, since FROM @first_in_chunks(asker, heads[i], cutoff);
          END IF;
          IF head IS NULL THEN
            head := before + width_bucket(cutoff, recent) + 1;
            since := recent[head - before];
          END IF;
          heads[i] := head;
          oldest[i] := since;
        END IF;
        granted := least(granted, run[i + 2] - (admitted + 1 - heads[i]));
      END LOOP;
      granted := greatest(granted, 0);
      used := admitted + 1 - heads[1];

      -- the admissions
      IF granted > 0 THEN
        recent := recent || array_fill(asked_at, ARRAY[granted::integer]);
        admitted := admitted + granted;
        oldest := array_replace(oldest, NULL, asked_at);
        is_changed := true;
      END IF;

      -- when windows free
      frees_at := coalesce(oldest[1], asked_at) + lengths[1];
      refused_by := 0;
      frees_last := 0;
      IF granted < run[1] THEN
        FOR i IN 1 .. cardinality(lengths) LOOP
          leaves := admitted + 1 - run[i + 2];
          CONTINUE WHEN leaves < heads[i];
          since := oldest[i];
          IF leaves > heads[i] THEN -- the limit was lowered: more than the oldest has to leave
            since := CASE WHEN leaves > before THEN recent[leaves - before] ELSE @moment_in_chunks(asker, leaves) END;
          END IF;
          IF i = 1 THEN
            frees_at := since + lengths[1];
          END IF;
          IF refused_by = 0 OR since + lengths[i] > frees_last THEN
            refused_by := i;
            frees_last := since + lengths[i];
          END IF;
        END LOOP;
      END IF;

      -- older admissions move from the row of the subject to chunks
      IF cardinality(recent) > ${CHUNK} THEN
        IF heads[1] > before + 1 THEN
          recent := recent[heads[1] - before :];
        END IF;
        WHILE cardinality(recent) > ${CHUNK} LOOP
          INSERT INTO @rate_chunks VALUES (asker, admitted + 1 - cardinality(recent), recent[: ${CHUNK}]);
          recent := recent[${CHUNK} + 1 :];
        END LOOP;
        DELETE FROM @rate_chunks WHERE subject = asker AND first <= heads[1] - ${CHUNK};
      END IF;
      answers := answers || ARRAY[granted, used, frees_at - ahead, refused_by, frees_last - ahead];
    END LOOP;

    IF NOT is_known THEN
      INSERT INTO @rate_subjects VALUES (asker, idle_at, lengths[1], asked_at, admitted, heads, oldest, recent);
    ELSIF is_changed THEN
      UPDATE @rate_subjects SET idle_at = decided.idle_at, longest_ms = lengths[1], asked_at = decided.asked_at,
        admitted = decided.admitted, heads = decided.heads, oldest = decided.oldest, recent = decided.recent
      WHERE subject = asker;
    END IF;
    RETURN answers;
  END $$;

  -- Calls consume_subject for each of "askers" in one transaction. Arrays are text, since nested arrays must be of one size.
  CREATE OR REPLACE FUNCTION @consume_runs(askers text[], lengths text[], runs text[], by_database boolean) RETURNS jsonb
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    answers bigint[] := '{}';
  BEGIN
    PERFORM pg_advisory_xact_lock(place)
    FROM (SELECT DISTINCT @rate_lock(asker) AS place FROM unnest(askers) AS asker ORDER BY place) AS places;
    FOR i IN 1 .. cardinality(askers) LOOP
      answers := answers || @consume_subject(askers[i], lengths[i]::bigint[], runs[i]::bigint[], by_database);
    END LOOP;
    RETURN to_jsonb(answers);
  END $$;

  -- The count of the longest window of a subject. now = null: by the clock of the database.
  CREATE OR REPLACE FUNCTION @count_admitted(asker text, length_ms bigint, now bigint) RETURNS bigint
  LANGUAGE sql STABLE ${ALONG_INDEXES} AS $$
    SELECT admitted + 1 - coalesce(
      (SELECT number FROM @first_in_chunks(asker, heads[1], cutoff) WHERE heads[1] <= before),
      before + width_bucket(cutoff, recent) + 1
    )
    FROM @rate_subjects,
      (SELECT coalesce(now, @database_now()) AS present) AS clock,
      LATERAL (SELECT greatest(present, asked_at) - length_ms AS cutoff, admitted - cardinality(recent) AS before) AS derived
    WHERE subject = asker
  $$;

  -- An admission does not update idle_at. So a subject whose idle_at has passed is checked: it is deleted when its longest
  -- window counts nothing, else idle_at moves on. Skips locked subjects. Returns the numbers of checked and of deleted
  -- subjects. now = null: by the clock of the database.
  CREATE OR REPLACE FUNCTION @prune_rates(now bigint, how_many integer) RETURNS jsonb
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    due text;
    idle_from bigint;
    checked integer := 0;
    deleted integer := 0;
  BEGIN
    now := coalesce(now, @database_now());
    FOR due IN SELECT subject FROM @rate_subjects s WHERE s.idle_at <= now ORDER BY s.idle_at LIMIT how_many LOOP
      CONTINUE WHEN NOT pg_try_advisory_xact_lock(@rate_lock(due));
      checked := checked + 1;
      SELECT recent[cardinality(recent)] + longest_ms INTO idle_from FROM @rate_subjects WHERE subject = due;
      IF idle_from > now THEN
        UPDATE @rate_subjects SET idle_at = idle_from WHERE subject = due;
      ELSE
        DELETE FROM @rate_chunks WHERE subject = due;
        DELETE FROM @rate_subjects WHERE subject = due;
        IF FOUND THEN -- else another process has deleted it meanwhile
          deleted := deleted + 1;
        END IF;
      END IF;
    END LOOP;
    RETURN jsonb_build_array(checked, deleted);
  END $$;
`;
