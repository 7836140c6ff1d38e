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
    -- All charges without those that do not count: lapsed ones, those of a clock that was ahead, and the hold itself.
    room := byte_limit - coalesce((SELECT bytes FROM @upload_sums WHERE subject = of_subject), 0)
      + coalesce((SELECT sum(bytes) FROM @uploads WHERE subject = of_subject AND leaves_at <= now), 0)
      + coalesce((SELECT sum(bytes) FROM @uploads WHERE subject = of_subject AND leaves_at > now + window_ms), 0)
      + coalesce((
          SELECT bytes FROM @uploads
          WHERE subject = of_subject AND hold_id = hold AND leaves_at + 0 > now AND leaves_at + 0 <= now + window_ms
        ), 0);

    IF needed <= room THEN
      held := least(wanted, room);
      room := room - held;
      fits_at := now;
      PERFORM @save_upload(of_subject, hold, held, now + window_ms);
    ELSE
      SELECT leaves_at INTO fits_at FROM (
        SELECT leaves_at, sum(bytes) OVER (ORDER BY leaves_at ROWS UNBOUNDED PRECEDING) AS freed FROM @uploads
        WHERE subject = of_subject AND leaves_at > now AND leaves_at <= now + window_ms AND hold_id <> hold
      ) AS leaving
      WHERE freed >= needed - room LIMIT 1;
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
    DELETE FROM @uploads WHERE subject = of_subject AND leaves_at <= now;
    DELETE FROM @uploads WHERE subject = of_subject AND leaves_at > now + window_ms;
  END $$;

  CREATE OR REPLACE FUNCTION @prune_uploads(now bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    pruned integer;
  BEGIN
    -- Without the locks of the subjects, their sums could be locked in another order than by a settlement.
    DELETE FROM @uploads WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM (
        SELECT ctid, subject FROM @uploads WHERE leaves_at <= now ORDER BY leaves_at LIMIT how_many
      ) AS lapsed
      WHERE pg_try_advisory_xact_lock(hashtextextended('@uploads:' || subject, 0))
    ));
    GET DIAGNOSTICS pruned = ROW_COUNT;
    RETURN pruned;
  END $$;
`;
