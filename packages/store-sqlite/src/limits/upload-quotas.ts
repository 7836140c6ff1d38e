import { grantHold, type UploadQuotaStore } from "@budgetkit/core/store";
import { asInteger } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

/**
 * Uploads are rare compared to requests, so these writes wait for the disk. Triggers keep the sum of all charges of a
 * subject. A decision reads that sum and the few charges that do not count: lapsed ones, which the next settlement
 * removes, and those of a clock that was ahead. A refusal reads as many charges as must leave before the upload fits.
 */
export function sqliteUploadQuotas(connection: Connection): UploadQuotaStore {
  const findEnd = connection.value(
    `SELECT leaves_at FROM (
       SELECT leaves_at, sum(bytes) OVER (ORDER BY leaves_at ROWS UNBOUNDED PRECEDING) AS freed
       FROM budgetkit_uploads INDEXED BY budgetkit_uploads_of_subject
       WHERE subject = ? AND leaves_at > ? AND leaves_at <= ? AND hold_id <> ?
     ) WHERE freed >= ? LIMIT 1`,
  );
  const save = connection.command(
    `INSERT INTO budgetkit_uploads (subject, hold_id, bytes, leaves_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (subject, hold_id) DO UPDATE SET bytes = excluded.bytes, leaves_at = excluded.leaves_at`,
  );
  const remove = connection.command("DELETE FROM budgetkit_uploads WHERE subject = ? AND hold_id = ?");
  const removeLapsed = connection.command("DELETE FROM budgetkit_uploads WHERE subject = ? AND leaves_at <= ?");
  const removeAhead = connection.command("DELETE FROM budgetkit_uploads WHERE subject = ? AND leaves_at > ?");
  const prune = connection.command(
    `DELETE FROM budgetkit_uploads WHERE (subject, hold_id) IN (
       SELECT subject, hold_id FROM budgetkit_uploads WHERE leaves_at <= ? ORDER BY leaves_at LIMIT ?
     )`,
  );
  const sumOthers = chargeSummer(connection);

  return {
    holdUpload: (subject, hold, window, now) =>
      connection.write(() => {
        const end = now + window.lengthMs;
        const room = window.limit - sumOthers(subject, hold.id, now, end);
        const granted = grantHold(hold, room, now);
        if (granted !== null && granted.held !== null) {
          save(subject, hold.id, granted.held, end);
          return granted;
        }
        const fitsAt = asInteger(findEnd(subject, now, end, hold.id, hold.needed - room) ?? end);
        return { held: null, room: Math.max(0, room), fitsAt };
      }),

    settleUpload: (subject, holdId, bytes, window, now) =>
      connection.write(() => {
        if (bytes === 0) remove(subject, holdId);
        else save(subject, holdId, bytes, now + window.lengthMs);
        removeLapsed(subject, now);
        removeAhead(subject, now + window.lengthMs);
      }),

    pruneUploads: (now, limit) => connection.write(() => prune(now, limit)),
  };
}

/** Returns a function that sums the bytes that count at `now`, without those of the hold itself. */
function chargeSummer(connection: Connection): (subject: string, holdId: string, now: number, end: number) => number {
  const sumAll = connection.value("SELECT bytes FROM budgetkit_upload_sums WHERE subject = ?");
  const sumLapsed = connection.value(
    "SELECT coalesce(sum(bytes), 0) FROM budgetkit_uploads WHERE subject = ? AND leaves_at <= ?",
  );
  const sumAhead = connection.value(
    "SELECT coalesce(sum(bytes), 0) FROM budgetkit_uploads WHERE subject = ? AND leaves_at > ?",
  );
  const findOwn = connection.value(
    `SELECT bytes FROM budgetkit_uploads
     WHERE subject = ? AND hold_id = ? AND +leaves_at > ? AND +leaves_at <= ?`, // + keeps the planner on the hold
  );
  return (subject, holdId, now, end) => {
    const counted = [sumLapsed(subject, now), sumAhead(subject, end), findOwn(subject, holdId, now, end) ?? 0];
    return counted.map(asInteger).reduce((sum, bytes) => sum - bytes, asInteger(sumAll(subject) ?? 0));
  };
}
