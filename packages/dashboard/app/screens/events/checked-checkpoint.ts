import type { CheckpointVerification, LedgerCheckpoint } from "@budgetkit/client/evidence";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../start/api.js";

interface CheckedCheckpoint {
  readonly checkpoint: LedgerCheckpoint;
  readonly file: string;
  readonly verification: CheckpointVerification;
}

/** A new checkpoint, verified here with the public keys of the service. One of another business is refused. */
export const checkedCheckpointQuery = (businessId: string) =>
  queryOptions({
    queryKey: ["events", "checked", businessId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<CheckedCheckpoint> => {
      const [{ verifyCheckpoint }, checkpoint, keys] = await Promise.all([
        import("@budgetkit/client/evidence"),
        api.events.checkpoint({ signal }),
        api.signingKeys({ signal }),
      ]);
      const file = JSON.stringify(checkpoint);
      const verification = await verifyCheckpoint(file, keys);
      const isOwn = !verification.ok || verification.signed.businessId === businessId;
      return { checkpoint, file, verification: isOwn ? verification : OTHER };
    },
  });

const OTHER: CheckpointVerification = { ok: false, field: "payload.businessId", reason: "is another business" };
