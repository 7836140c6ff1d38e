import type { UploadQuotaStore } from "@budgetkit/core/store";
import { asInteger, orNull } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";

/**
 * Each call is one transaction, since it waits for the lock of its subject. A repeated call changes only the time from
 * which it counts, so that the calls use the statements that are repeated after a lost connection.
 */
export function postgresUploadQuotas(connection: Connection): UploadQuotaStore {
  const hold = connection.row("SELECT held, room, fits_at FROM @hold_upload($1, $2, $3, $4, $5, $6, $7)");
  const settle = connection.row("SELECT @settle_upload($1, $2, $3, $4, $5)");

  return {
    holdUpload: async (subject, { id, needed, wanted }, { lengthMs, limit }, now) => {
      const [held, room, fitsAt] = (await hold(subject, id, needed, wanted, lengthMs, limit, now)) ?? [];
      return { held: orNull(held, asInteger), room: asInteger(room), fitsAt: asInteger(fitsAt) };
    },

    settleUpload: async (subject, holdId, bytes, { lengthMs }, now) => {
      await settle(subject, holdId, bytes, lengthMs, now);
    },

    pruneUploads: async (now, limit) => asInteger(await connection.call("prune_uploads", now, limit)),
  };
}
