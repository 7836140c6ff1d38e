import type { IdempotencyRecord } from "@budgetkit/core/store";
import type { OpenBusiness } from "../commit/open-business.js";
import type { Statements } from "../engine/statements.js";

/** Matches a claim that its request still holds. */
export const HELD = "business_id = $1 AND key = $2 AND claim_id = $3 AND response IS NULL";

/** The claims of idempotency records in a transaction. Without a record there is no claim to lose. */
export interface HeldClaims {
  /** False = the claim is lost, so that the effect must not happen. */
  isHeld(open: OpenBusiness, record: IdempotencyRecord | null): Promise<boolean>;
  complete(open: OpenBusiness, record: IdempotencyRecord | null): void;
}

export function heldClaims(statements: Statements): HeldClaims {
  const find = statements.exists(`SELECT FROM @claims WHERE ${HELD}`);
  const complete = statements.write(`UPDATE @claims SET response = $4 WHERE ${HELD}`);
  return {
    isHeld: async (open, record) => record === null || find(open, record.key, record.claimId),
    complete: (open, record) => {
      if (record !== null) complete(open, record.key, record.claimId, record.response);
    },
  };
}
