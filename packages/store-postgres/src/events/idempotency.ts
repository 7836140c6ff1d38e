import type { IdempotencyRecord, IdempotencyStore } from "@budgetkit/core/store";
import { asInteger, asText, idToFind, idToWrite, orNull } from "@budgetkit/store-kit";
import { textToFind } from "../engine/arguments.js";
import type { Connection } from "../engine/connection.js";
import { EVENT_COMMITS, type IdempotencyRow } from "./event-functions.js";

/** An idempotency record as the functions take it that complete its claim. */
export function idempotencyRow(record: IdempotencyRecord | null): IdempotencyRow | null {
  if (record === null) return null;
  const { businessId, key, claimId, response } = record;
  return { business_id: idToFind(businessId), key, claim_id: claimId, response };
}

export function postgresIdempotency(connection: Connection): IdempotencyStore {
  const commit = connection.commits(EVENT_COMMITS);
  const findCompleted = connection.row(
    `SELECT fingerprint, response FROM @claims
     WHERE business_id = $1 AND key = $2 AND response IS NOT NULL AND expires_at > $3`,
  );

  return {
    claimKey: async ({ businessId, key, claimId, fingerprint, leaseUntil, expiresAt }, now) => {
      const business = idToWrite(businessId);
      const claim = {
        business_id: business,
        key,
        claim_id: claimId,
        fingerprint,
        lease_until: leaseUntil,
        expires_at: expiresAt,
      };
      return commit("claim_key", business, { claim, now });
    },

    releaseClaim: async (businessId, key, claimId) => {
      const business = idToFind(businessId);
      await commit("release_claim", business, { business_id: business, key, claim_id: claimId });
    },

    findCompletedClaim: async (businessId, key, now) =>
      orNull(await findCompleted(idToFind(businessId), textToFind(key), now), ([fingerprint, response]) => ({
        fingerprint: asText(fingerprint),
        response: asText(response),
      })),

    pruneClaims: async (now, limit) => asInteger(await connection.call("prune_claims", now, limit)),
  };
}
