import type { ClaimOutcome, CompletedClaim, IdempotencyRecord, IdempotencyStore } from "@budgetkit/core/store";
import { asText, idToFind, idToWrite, type Row } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

/** Matches a claim that its request still holds. */
const HELD = "business_id = ? AND key = ? AND claim_id = ? AND response IS NULL";

/** The claims of idempotency records, as part of a transaction. Without a record there is no claim to lose. */
export interface HeldClaims {
  isHeld(record: IdempotencyRecord | null): boolean;
  /** False = the claim is lost, so the effect must not happen. */
  complete(record: IdempotencyRecord | null): boolean;
}

export function heldClaims(connection: Connection): HeldClaims {
  const find = connection.value(`SELECT 1 FROM budgetkit_claims WHERE ${HELD}`);
  const complete = connection.command(`UPDATE budgetkit_claims SET response = ? WHERE ${HELD}`);
  const keyOf = ({ businessId, key, claimId }: IdempotencyRecord) => [idToFind(businessId), key, claimId] as const;
  return {
    isHeld: (record) => record === null || find(...keyOf(record)) !== undefined,
    complete: (record) => record === null || complete(record.response, ...keyOf(record)) === 1,
  };
}

export function sqliteIdempotency(connection: Connection): IdempotencyStore {
  const claim = connection.command(
    `INSERT INTO budgetkit_claims (business_id, key, claim_id, fingerprint, lease_until, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (business_id, key) DO UPDATE SET
       claim_id = excluded.claim_id,
       fingerprint = excluded.fingerprint,
       lease_until = excluded.lease_until,
       expires_at = excluded.expires_at,
       response = NULL
     WHERE CASE WHEN response IS NULL THEN lease_until ELSE expires_at END <= ?`,
  );
  const find = connection.row("SELECT fingerprint, response FROM budgetkit_claims WHERE business_id = ? AND key = ?");
  const findCompleted = connection.row(
    `SELECT fingerprint, response FROM budgetkit_claims
     WHERE business_id = ? AND key = ? AND response IS NOT NULL AND expires_at > ?`,
  );
  const release = connection.command(`DELETE FROM budgetkit_claims WHERE ${HELD}`);
  const prune = connection.command(
    `DELETE FROM budgetkit_claims WHERE rowid IN
       (SELECT rowid FROM budgetkit_claims WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`,
  );

  return {
    claimKey: async ({ businessId, key, claimId, fingerprint, leaseUntil, expiresAt }, now) => {
      const business = idToWrite(businessId);
      return connection.write(() => {
        const taken = claim(business, key, claimId, fingerprint, leaseUntil, expiresAt, now) === 0;
        return taken ? existingOutcome(find(business, key)) : { kind: "claimed" };
      });
    },

    releaseClaim: (businessId, key, claimId) =>
      connection.write(() => {
        release(idToFind(businessId), key, claimId);
      }),

    findCompletedClaim: (businessId, key, now) =>
      connection.read(() => {
        const row = findCompleted(idToFind(businessId), key, now);
        return row === null ? null : completedOf(row);
      }),

    pruneClaims: (now, limit) => connection.write(() => prune(now, limit)),
  };
}

/** The outcome for a request that finds the key claimed by another request. */
function existingOutcome(row: Row | null): ClaimOutcome {
  if (row === null || row[1] === null) return { kind: "in-flight" };
  return { kind: "completed", ...completedOf(row) };
}

function completedOf([fingerprint, response]: Row): CompletedClaim {
  return { fingerprint: asText(fingerprint), response: asText(response) };
}
