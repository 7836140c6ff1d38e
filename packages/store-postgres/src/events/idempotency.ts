import type { ClaimOutcome, CompletedClaim, IdempotencyStore } from "@budgetkit/core/store";
import { asInteger, asText, idToFind, idToWrite, orNull, type Row } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";
import { claimName } from "../commit/footprint.js";
import { textToFind } from "../engine/arguments.js";
import { HELD } from "./held-claims.js";

export function postgresIdempotency(connection: Connection): IdempotencyStore {
  const { statements } = connection;
  const claim = statements.write(
    `INSERT INTO @claims (business_id, key, claim_id, fingerprint, lease_until, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (business_id, key) DO UPDATE SET
       claim_id = excluded.claim_id, fingerprint = excluded.fingerprint, lease_until = excluded.lease_until,
       expires_at = excluded.expires_at, response = NULL`,
  );
  const find = statements.row(
    `SELECT fingerprint, response, CASE WHEN response IS NULL THEN lease_until ELSE expires_at END
     FROM @claims WHERE business_id = $1 AND key = $2`,
  );
  const release = statements.write(`DELETE FROM @claims WHERE ${HELD}`);
  const findCompleted = connection.row(
    `SELECT fingerprint, response FROM @claims
     WHERE business_id = $1 AND key = $2 AND response IS NOT NULL AND expires_at > $3`,
  );

  return {
    // Reads before it decides, so that the claims of a wave are one round trip.
    claimKey: async ({ businessId, key, claimId, fingerprint, leaseUntil, expiresAt }, now) =>
      connection.runPiece({
        business: idToWrite(businessId),
        footprint: new Set([claimName(key)]),
        size: key.length + fingerprint.length,
        inspect: async (open): Promise<() => ClaimOutcome> => {
          const row = await find(open, key);
          return () => {
            if (row !== null && asInteger(row[2]) > now) return outcomeOf(row);
            claim(open, key, claimId, fingerprint, leaseUntil, expiresAt);
            return { kind: "claimed" };
          };
        },
      }),

    releaseClaim: (businessId, key, claimId) =>
      connection.write(idToFind(businessId), [claimName(key)], (open) => release(open, key, claimId)),

    findCompletedClaim: async (businessId, key, now) =>
      orNull(await findCompleted(idToFind(businessId), textToFind(key), now), completedOf),

    pruneClaims: async (now, limit) => asInteger(await connection.call("prune_claims", now, limit)),
  };
}

/** The outcome for a request that finds the key claimed by another request. */
function outcomeOf(row: Row): ClaimOutcome {
  return row[1] === null ? { kind: "in-flight" } : { kind: "completed", ...completedOf(row) };
}

function completedOf([fingerprint, response]: Row): CompletedClaim {
  return { fingerprint: asText(fingerprint), response: asText(response) };
}
