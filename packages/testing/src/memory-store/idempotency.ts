import type { IdempotencyRecord, IdempotencyStore } from "@budgetkit/core/store";
import type { ClaimRow, OpenTables, Tables } from "./tables.js";

export function memoryIdempotency(open: OpenTables): IdempotencyStore {
  return {
    claimKey: async (claim, now) => {
      const { claims } = open();
      const held = claims.find(claim.businessId, claim.key);
      if (held !== null && held.response !== null && now < held.expiresAt) {
        return { kind: "completed", fingerprint: held.fingerprint, response: held.response };
      }
      if (held !== null && held.response === null && now < held.leaseUntil) return { kind: "in-flight" };
      claims.save(claim.businessId, claim.key, { ...claim, response: null });
      return { kind: "claimed" };
    },

    releaseClaim: async (businessId, key, claimId) => {
      const tables = open();
      if (heldClaim(tables, { businessId, key, claimId }) !== null) tables.claims.remove(businessId, key);
    },

    findCompletedClaim: async (businessId, key, now) => {
      const { response = null, fingerprint = "", expiresAt = now } = open().claims.find(businessId, key) ?? {};
      return response === null || expiresAt <= now ? null : { fingerprint, response };
    },

    pruneClaims: async (now, limit) => {
      const { claims } = open();
      const expired = claims
        .all()
        .filter((row) => row.expiresAt < now)
        .slice(0, limit);
      for (const row of expired) claims.remove(row.businessId, row.key);
      return expired.length;
    },
  };
}

/** True when the claim of the idempotency record is still held. */
export function holdsClaim(tables: Tables, record: IdempotencyRecord): boolean {
  return heldClaim(tables, record) !== null;
}

/** Completes the claim with the response of the record. */
export function completeClaim(tables: Tables, record: IdempotencyRecord): void {
  const held = heldClaim(tables, record);
  if (held === null) return;
  tables.claims.save(held.businessId, held.key, { ...held, response: record.response });
}

/** The uncompleted claim that still holds the key under this claim id. */
function heldClaim(
  { claims }: Tables,
  { businessId, key, claimId }: Pick<IdempotencyRecord, "businessId" | "key" | "claimId">,
): ClaimRow | null {
  const row = claims.find(businessId, key);
  return row !== null && row.claimId === claimId && row.response === null ? row : null;
}
