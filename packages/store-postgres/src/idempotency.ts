import type { ClaimOutcome, IdempotencyStore, Receipt } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { idToFind, idToWrite, textToFind } from "./ids.js";
import { asInteger, asOneOf, asText, field, orNull } from "./rows.js";

/** A receipt as the functions that complete its claim take it. */
export function receiptArgument(receipt: Receipt | null): unknown {
  if (receipt === null) return null;
  const { businessId, key, claimId, response } = receipt;
  return { business_id: idToFind(businessId), key, claim_id: claimId, response };
}

export function postgresIdempotency(connection: Connection): IdempotencyStore {
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
      return asClaimOutcome(await connection.commit("claim_key", business, { claim, now }));
    },

    releaseClaim: async (businessId, key, claimId) => {
      const business = idToFind(businessId);
      await connection.commit("release_claim", business, { business_id: business, key, claim_id: claimId });
    },

    findCompletedClaim: async (businessId, key, now) =>
      orNull(await findCompleted(idToFind(businessId), textToFind(key), now), ([fingerprint, response]) => ({
        fingerprint: asText(fingerprint),
        response: asText(response),
      })),

    pruneClaims: async (now, limit) => asInteger(await connection.call("prune_claims", now, limit)),
  };
}

function asClaimOutcome(answer: unknown): ClaimOutcome {
  const kind = asOneOf(["claimed", "in-flight", "completed"], field(answer, "kind"));
  if (kind !== "completed") return { kind };
  return { kind, fingerprint: asText(field(answer, "fingerprint")), response: asText(field(answer, "response")) };
}
