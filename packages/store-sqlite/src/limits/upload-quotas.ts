import {
  asInteger,
  asText,
  decideHold,
  grantHold,
  type Row,
  type UploadCharge,
  type UploadQuotaStore,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";

/**
 * Uploads are rare compared to requests, so these writes wait for the disk. The database sums the charges; only a
 * refusal reads them, to find the time at which the upload fits.
 */
export function sqliteUploadQuotas(connection: Connection): UploadQuotaStore {
  const chargesOf = connection.rows("SELECT hold_id, bytes, leaves_at FROM budgetkit_uploads WHERE subject = ?");
  const sumOthers = connection.value(
    `SELECT coalesce(sum(bytes), 0) FROM budgetkit_uploads
     WHERE subject = ? AND hold_id <> ? AND +leaves_at > ? AND +leaves_at <= ?`, // + keeps the planner on the subject
  );
  const save = connection.command(
    `INSERT INTO budgetkit_uploads (subject, hold_id, bytes, leaves_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (subject, hold_id) DO UPDATE SET bytes = excluded.bytes, leaves_at = excluded.leaves_at`,
  );
  const remove = connection.command("DELETE FROM budgetkit_uploads WHERE subject = ? AND hold_id = ?");
  const removeOver = connection.command(
    "DELETE FROM budgetkit_uploads WHERE subject = ? AND (+leaves_at <= ? OR +leaves_at > ?)",
  );
  const prune = connection.command(
    `DELETE FROM budgetkit_uploads WHERE (subject, hold_id) IN (
       SELECT subject, hold_id FROM budgetkit_uploads WHERE leaves_at <= ? ORDER BY leaves_at LIMIT ?
     )`,
  );

  return {
    holdUpload: (subject, hold, window, now) =>
      connection.write(() => {
        const room = window.limit - asInteger(sumOthers(subject, hold.id, now, now + window.lengthMs));
        const decision = grantHold(hold, room, now) ?? decideHold(chargesOf(subject).map(asCharge), hold, window, now);
        if (decision.held !== null) save(subject, hold.id, decision.held, now + window.lengthMs);
        return decision;
      }),

    settleUpload: (subject, holdId, bytes, window, now) =>
      connection.write(() => {
        if (bytes === 0) remove(subject, holdId);
        else save(subject, holdId, bytes, now + window.lengthMs);
        removeOver(subject, now, now + window.lengthMs);
      }),

    pruneUploads: (now, limit) => connection.write(() => prune(now, limit)),
  };
}

function asCharge([holdId, bytes, leavesAt]: Row): UploadCharge {
  return { holdId: asText(holdId), bytes: asInteger(bytes), leavesAt: asInteger(leavesAt) };
}
