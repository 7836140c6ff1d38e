import { IN_INDEX_ORDER } from "../engine/planner-settings.js";

/**
 * How many notes a claim takes, so that its transaction stays short. Each business has an equal share of them; of more
 * businesses, those whose first notes are the oldest have one each.
 */
const NOTES_OF_CLAIM = 1_000;

/**
 * The turns of ordered deliveries. At most one delivery of a subject to a subscriber has its turn, which is: has a time
 * of its next attempt. The others wait.
 *
 * Every transaction that adds or ends an ordered delivery notes its subject. A note that is visible shows that its
 * transaction has committed, so the claim that takes the note sees whose turn it is now; and what commits later leaves
 * a note of its own. Only claims take notes, and they run one after the other.
 */
export const TURN_FUNCTIONS = `
  -- Unless a delivery of a noted subject has its turn, that with the lowest sequence begins its own. The subject is noted
  -- again while an earlier event waits for its fan-out, or the delivery is locked: it is being cancelled.
  CREATE OR REPLACE FUNCTION @start_turns(now bigint, moment bigint) RETURNS void
  LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    note record;
    next record;
    subject text;
    is_held boolean;
    earlier bigint;
  BEGIN
    FOR note IN
      WITH RECURSIVE noted AS (
        (SELECT business_id FROM @delivery_turns ORDER BY business_id LIMIT 1)
        UNION ALL
        SELECT following.business_id FROM noted CROSS JOIN LATERAL (
          SELECT turns.business_id FROM @delivery_turns AS turns WHERE turns.business_id > noted.business_id
          ORDER BY turns.business_id LIMIT 1
        ) AS following
      ), served AS MATERIALIZED (
        SELECT business_id FROM noted ORDER BY (
          SELECT turns.position FROM @delivery_turns AS turns WHERE turns.business_id = noted.business_id
          ORDER BY turns.position LIMIT 1
        ) LIMIT ${NOTES_OF_CLAIM}
      ), taken AS MATERIALIZED (
        DELETE FROM @delivery_turns WHERE ctid = ANY (ARRAY(
          SELECT notes.at FROM served CROSS JOIN LATERAL (
            SELECT turns.ctid AS at FROM @delivery_turns AS turns WHERE turns.business_id = served.business_id
            ORDER BY turns.position LIMIT ${NOTES_OF_CLAIM} / (SELECT count(*) FROM served)
          ) AS notes
        ))
        RETURNING business_id, subscriber_kind, subscriber_id, ordered_subject
      )
      SELECT DISTINCT business_id, subscriber_kind, subscriber_id, ordered_subject FROM taken
    LOOP
      -- One statement: an earlier event waits in its snapshot, or its delivery is in the queue.
      SELECT first.at, first.next_attempt_at, ARRAY(
        SELECT waiting.sequence FROM @undispatched_events AS waiting
        WHERE waiting.business_id = note.business_id AND waiting.sequence < first.ordered_sequence
      ) AS earlier INTO next FROM (
        SELECT ctid AS at, next_attempt_at, ordered_sequence FROM @delivery_queue
        WHERE business_id = note.business_id AND subscriber_kind = note.subscriber_kind
          AND subscriber_id = note.subscriber_id AND ordered_subject = note.ordered_subject
        ORDER BY (next_attempt_at IS NULL), ordered_sequence, id LIMIT 1
      ) AS first;
      CONTINUE WHEN NOT FOUND OR next.next_attempt_at IS NOT NULL;
      is_held := false;
      FOREACH earlier IN ARRAY next.earlier LOOP
        SELECT split_part(events.type, '.', 1) || ' ' || events.subject_id INTO subject FROM @events AS events
        WHERE events.business_id = note.business_id AND events.sequence = earlier;
        is_held := coalesce(subject = note.ordered_subject, false);
        EXIT WHEN is_held;
      END LOOP;
      IF NOT is_held THEN
        PERFORM FROM @delivery_queue WHERE ctid = next.at AND next_attempt_at IS NULL FOR NO KEY UPDATE SKIP LOCKED;
        IF FOUND THEN
          UPDATE @delivery_queue SET next_attempt_at = moment, deadline_at = deadline_at + (now - updated_at)
          WHERE ctid = next.at;
          CONTINUE;
        END IF;
      END IF;
      INSERT INTO @delivery_turns (business_id, subscriber_kind, subscriber_id, ordered_subject)
      VALUES (note.business_id, note.subscriber_kind, note.subscriber_id, note.ordered_subject);
    END LOOP;
  END $$;
`;
