import type { LedgerCheckpoint } from "./schemas.js";
import { type KeySet, openSigned, Refusal } from "./verify-evidence.js";

/** That an entry was the last one of the ledger of a business, as the service has signed it. */
export interface SignedCheckpoint {
  /** Of this form of checkpoint. */
  readonly type: "budgetkit.ledger.v1";
  /** The address of the service; its keys are below it. */
  readonly issuer: string;
  /** Id of the business. */
  readonly businessId: string;
  /** Of the entry; 0 = there was none. */
  readonly sequence: number;
  /** Of the entry: SHA-256 in hexadecimal; null = from before the ledger was chained. */
  readonly hash: string | null;
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** True: retention has removed the entries up to this one; absent = it was the last one. */
  readonly removed?: true;
}

export type CheckpointVerification =
  | { readonly ok: true; readonly signed: SignedCheckpoint; readonly kid: string }
  /** `field`: what is wrong. */
  | { readonly ok: false; readonly field: string; readonly reason: string };

const TYPE = "budgetkit.ledger.v1";

/**
 * Verifies a checkpoint of the ledger with the public keys of the service, without calling it. It takes the file, as text
 * or bytes, or the object in it, as `verifyEvidence` does. No checkpoint makes it reject.
 */
export async function verifyCheckpoint(
  checkpoint: string | Uint8Array | LedgerCheckpoint,
  keys: KeySet,
): Promise<CheckpointVerification> {
  try {
    const { signed, kid } = await openSigned(checkpoint, keys);
    if (!isCheckpoint(signed)) throw new Refusal("payload.type", `is not ${TYPE}`);
    return { ok: true, signed, kid };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, field: error.field, reason: error.message };
    return { ok: false, field: "checkpoint", reason: "cannot be read" };
  }
}

function isCheckpoint(value: object): value is SignedCheckpoint {
  const { type, businessId, sequence, hash }: Readonly<Record<string, unknown>> = { ...value };
  const isHash = hash === null || typeof hash === "string";
  return type === TYPE && typeof businessId === "string" && typeof sequence === "number" && isHash;
}
