import { ALONG_INDEXES } from "../engine/planner-settings.js";

/** The rule `decideHold` of the core, in SQL: it must hold across processes, in one round trip. */
export const UPLOAD_FUNCTIONS = `
  -- Serialises the changes of a subject.
  CREATE OR REPLACE FUNCTION @lock_uploads(of_subject text) RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('@uploads:' || of_subject, 0))
  $$;

  CREATE OR REPLACE FUNCTION @save_upload(of_subject text, hold text, of_bytes bigint, until bigint) RETURNS void
  LANGUAGE sql AS $$
    INSERT INTO @uploads (subject, hold_id, bytes, leaves_at) VALUES (of_subject, hold, of_bytes, until)
    ON CONFLICT (subject, hold_id) DO UPDATE SET bytes = excluded.bytes, leaves_at = excluded.leaves_at
  $$;

  CREATE OR REPLACE FUNCTION @hold_upload(
    of_subject text, hold text, needed bigint, wanted bigint, window_ms bigint, byte_limit bigint, now bigint,
    OUT held bigint, OUT room bigint, OUT fits_at bigint
  ) LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    PERFORM @lock_uploads(of_subject);
    WITH others AS MATERIALIZED ( -- by subject: keeps the planner from the index on leaves_at
      SELECT bytes, leaves_at FROM @uploads WHERE subject = of_subject AND hold_id <> hold
    )
    SELECT byte_limit - coalesce(sum(bytes), 0) INTO room FROM others
    WHERE leaves_at > now AND leaves_at <= now + window_ms;

    IF needed <= room THEN
      held := least(wanted, room);
      room := room - held;
      fits_at := now;
      PERFORM @save_upload(of_subject, hold, held, now + window_ms);
    ELSE
      WITH others AS MATERIALIZED (
        SELECT bytes, leaves_at FROM @uploads WHERE subject = of_subject AND hold_id <> hold
      ), counting AS (
        SELECT leaves_at, coalesce(sum(bytes) OVER leaving_later, 0) AS left_over FROM others
        WHERE leaves_at > now AND leaves_at <= now + window_ms
        WINDOW leaving_later AS (ORDER BY leaves_at DESC RANGE UNBOUNDED PRECEDING EXCLUDE GROUP)
      )
      SELECT min(leaves_at) FILTER (WHERE left_over + needed <= byte_limit) INTO fits_at FROM counting;
      room := greatest(0, room);
      fits_at := coalesce(fits_at, now + window_ms);
    END IF;
  END $$;

  CREATE OR REPLACE FUNCTION @settle_upload(of_subject text, hold text, of_bytes bigint, window_ms bigint, now bigint)
  RETURNS void LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    PERFORM @lock_uploads(of_subject);
    IF of_bytes = 0 THEN
      DELETE FROM @uploads WHERE subject = of_subject AND hold_id = hold;
    ELSE
      PERFORM @save_upload(of_subject, hold, of_bytes, now + window_ms);
    END IF;
    DELETE FROM @uploads
    WHERE subject = of_subject AND (leaves_at > now AND leaves_at <= now + window_ms) IS NOT TRUE;
  END $$;

  CREATE OR REPLACE FUNCTION @prune_uploads(now bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    pruned integer;
  BEGIN
    DELETE FROM @uploads WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM @uploads WHERE leaves_at <= now ORDER BY leaves_at LIMIT how_many FOR UPDATE SKIP LOCKED
    ));
    GET DIAGNOSTICS pruned = ROW_COUNT;
    RETURN pruned;
  END $$;
`;
