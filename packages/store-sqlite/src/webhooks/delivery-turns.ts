import type { Instant } from "@budgetkit/core/store";
import { asInteger, asText, orNull } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

const SUBJECT = "business_id, subscriber_kind, subscriber_id, ordered_subject";

/**
 * How many notes a claim takes, so that its transaction stays short. Each business has an equal share of them; of more
 * businesses, those whose first notes are the oldest have one each.
 */
const NOTES_OF_CLAIM = 1_000;

/**
 * Notes the subject of a delivery of the queue, if it is ordered, as part of the transaction that adds or ends it: the
 * next claim then looks whose turn it is.
 */
export function turnNoter(connection: Connection): (business: number, id: number) => void {
  const note = connection.command(
    `INSERT INTO budgetkit_delivery_turns (${SUBJECT})
     SELECT ${SUBJECT} FROM budgetkit_delivery_queue
     WHERE business_id = ? AND id = ? AND ordered_subject IS NOT NULL`,
  );
  return (business, id) => void note(business, id);
}

/** Whether a subject is noted: its next delivery may begin. */
export function noteFinder(connection: Connection): () => boolean {
  const find = connection.value("SELECT position FROM budgetkit_delivery_turns WHERE position > 0 LIMIT 1");
  return () => orNull(find(), asInteger) !== null;
}

/**
 * Looks at the noted subjects, as part of the transaction of a claim. Unless a delivery of the subject has its turn, that
 * with the lowest sequence begins its own. A subject with an earlier event that waits for its fan-out is noted again.
 */
export function turnStarter(connection: Connection): (now: Instant) => void {
  const isAnyNoted = noteFinder(connection);
  const findNoted = connection.rows(
    `WITH RECURSIVE noted (business_id) AS (
       SELECT min(business_id) FROM budgetkit_delivery_turns
       UNION ALL
       SELECT (SELECT min(turns.business_id) FROM budgetkit_delivery_turns AS turns
         WHERE turns.business_id > noted.business_id)
       FROM noted WHERE noted.business_id IS NOT NULL
     )
     SELECT business_id, (
       SELECT min(turns.position) FROM budgetkit_delivery_turns AS turns WHERE turns.business_id = noted.business_id
     ) FROM noted WHERE business_id IS NOT NULL`,
  );
  const takeNotes = connection.rows(
    `DELETE FROM budgetkit_delivery_turns WHERE position IN (
       SELECT position FROM budgetkit_delivery_turns WHERE business_id = ? ORDER BY position LIMIT ?
     )
     RETURNING ${SUBJECT}`,
  );
  const noteAgain = connection.command(`INSERT INTO budgetkit_delivery_turns (${SUBJECT}) VALUES (?, ?, ?, ?)`);
  const findFirst = connection.row(
    `SELECT id, ordered_sequence, next_attempt_at IS NULL FROM budgetkit_delivery_queue
     WHERE business_id = ? AND subscriber_kind = ? AND subscriber_id = ? AND ordered_subject = ?
     ORDER BY next_attempt_at IS NULL, ordered_sequence, id LIMIT 1`,
  );
  const followsUndispatched = connection.value(
    `SELECT EXISTS (
       SELECT 1 FROM budgetkit_undispatched_events AS waiting CROSS JOIN budgetkit_events AS events USING (position)
       WHERE waiting.business_id = ? AND waiting.sequence < ?
         AND substr(events.type, 1, instr(events.type, '.') - 1) || ' ' || events.subject_id = ?
     )`,
  );
  const start = connection.command(
    `UPDATE budgetkit_delivery_queue SET next_attempt_at = ?, deadline_at = deadline_at + (? - updated_at)
     WHERE business_id = ? AND id = ?`,
  );

  return (now) => {
    if (!isAnyNoted()) return;
    const noted = [...findNoted()]
      .sort(([, position], [, other]) => asInteger(position) - asInteger(other))
      .slice(0, NOTES_OF_CLAIM);
    const share = Math.floor(NOTES_OF_CLAIM / noted.length);
    for (const note of noted.flatMap(([business]) => takeNotes(asInteger(business), share))) {
      const [business, kind, subscriber, subject] = note;
      const key = [asInteger(business), asText(kind), asInteger(subscriber), asText(subject)] as const;
      const first = findFirst(...key);
      if (first === null || first[2] === 0) continue;
      const [id, sequence] = [asInteger(first[0]), asInteger(first[1])];
      if (followsUndispatched(key[0], sequence, key[3]) === 1) noteAgain(...key);
      else start(now, now, key[0], id);
    }
  };
}
