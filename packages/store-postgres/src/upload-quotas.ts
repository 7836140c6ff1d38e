import type { UploadQuotaStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { asInteger, orNull } from "./rows.js";

/**
 * Each call is a transaction of its own, since it waits for others of its subject. Doing one again changes nothing but
 * the moment from which it counts, so that they go by what repeats a statement whose connection was lost.
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
