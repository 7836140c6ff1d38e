import { counts, decideHold, type UploadQuotaStore } from "@budgetkit/core/store";
import type { OpenTables } from "./tables.js";

export function memoryUploadQuotas(open: OpenTables): UploadQuotaStore {
  return {
    holdUpload: async (subject, hold, window, now) => {
      const { uploads } = open();
      const decision = decideHold(uploads.of(subject), hold, window, now);
      if (decision.held !== null) {
        const leavesAt = now + window.lengthMs;
        uploads.save(subject, hold.id, { subject, holdId: hold.id, bytes: decision.held, leavesAt });
      }
      return decision;
    },

    settleUpload: async (subject, holdId, bytes, window, now) => {
      const { uploads } = open();
      if (bytes === 0) uploads.remove(subject, holdId);
      else uploads.save(subject, holdId, { subject, holdId, bytes, leavesAt: now + window.lengthMs });
      for (const charge of uploads.of(subject)) {
        if (!counts(charge, window, now)) uploads.remove(subject, charge.holdId);
      }
    },

    pruneUploads: async (now, limit) => {
      const { uploads } = open();
      const over = uploads
        .all()
        .filter(({ leavesAt }) => leavesAt <= now)
        .slice(0, limit);
      for (const { subject, holdId } of over) uploads.remove(subject, holdId);
      return over.length;
    },
  };
}
