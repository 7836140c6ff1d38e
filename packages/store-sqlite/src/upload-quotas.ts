import { counts, decideHold, type UploadCharge, type UploadQuotaStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { asInteger, asText, type Row } from "./rows.js";

/** Uploads come at the pace of large bodies, so that these rows may wait for the disk as others do. */
export function sqliteUploadQuotas(connection: Connection): UploadQuotaStore {
  const chargesOf = connection.rows("SELECT hold_id, bytes, leaves_at FROM budgetkit_uploads WHERE subject = ?");
  const save = connection.command(
    `INSERT INTO budgetkit_uploads (subject, hold_id, bytes, leaves_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (subject, hold_id) DO UPDATE SET bytes = excluded.bytes, leaves_at = excluded.leaves_at`,
  );
  const remove = connection.command("DELETE FROM budgetkit_uploads WHERE subject = ? AND hold_id = ?");
  const prune = connection.command(
    `DELETE FROM budgetkit_uploads WHERE (subject, hold_id) IN (
       SELECT subject, hold_id FROM budgetkit_uploads WHERE leaves_at <= ? ORDER BY leaves_at LIMIT ?
     )`,
  );

  return {
    holdUpload: (subject, hold, window, now) =>
      connection.write(() => {
        const decision = decideHold(chargesOf(subject).map(asCharge), hold, window, now);
        if (decision.held !== null) save(subject, hold.id, decision.held, now + window.lengthMs);
        return decision;
      }),

    settleUpload: (subject, holdId, bytes, window, now) =>
      connection.write(() => {
        if (bytes === 0) remove(subject, holdId);
        else save(subject, holdId, bytes, now + window.lengthMs);
        for (const charge of chargesOf(subject).map(asCharge)) {
          if (!counts(charge, window, now)) remove(subject, charge.holdId);
        }
      }),

    pruneUploads: (now, limit) => connection.write(() => prune(now, limit)),
  };
}

function asCharge([holdId, bytes, leavesAt]: Row): UploadCharge {
  return { holdId: asText(holdId), bytes: asInteger(bytes), leavesAt: asInteger(leavesAt) };
}
