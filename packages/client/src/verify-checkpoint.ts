import type { LedgerCheckpoint } from "./schemas.js";
import { checkIssuer, type KeySet, openSigned, Refusal, type VerificationOptions } from "./verify-evidence.js";

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
  /** Of the entry: SHA-256 in hexadecimal; null = there is no chained entry yet, so that the checkpoint proves none. */
  readonly hash: string | null;
  /** The first entry that the chain proves; absent in checkpoints of former releases. */
  readonly chainedFrom?: number;
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
const HASH = /^[0-9a-f]{64}$/;

/**
 * Verifies a checkpoint of the ledger with the public keys of the service, without calling it. It takes the file, as text
 * or bytes, or the object in it, as `verifyEvidence` does, and refuses other issuers in the same way. No checkpoint makes it
 * reject.
 */
export async function verifyCheckpoint(
  checkpoint: string | Uint8Array | LedgerCheckpoint,
  keys: KeySet,
  expected: VerificationOptions = {},
): Promise<CheckpointVerification> {
  try {
    const { signed, kid } = await openSigned(checkpoint, keys);
    if (!isCheckpoint(signed)) throw new Refusal("payload.type", `is not ${TYPE}`);
    checkIssuer(signed, expected);
    checkHash(signed);
    return { ok: true, signed, kid };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, field: error.field, reason: error.message };
    return { ok: false, field: "checkpoint", reason: "cannot be read" };
  }
}

function isCheckpoint(value: object): value is SignedCheckpoint {
  const { type, businessId, sequence, hash, chainedFrom, at }: Readonly<Record<string, unknown>> = { ...value };
  const isNamed = typeof businessId === "string" && typeof at === "string";
  const isPlaced = isPlace(sequence) && (chainedFrom === undefined || isPlace(chainedFrom));
  return type === TYPE && isNamed && isPlaced && (hash === null || (typeof hash === "string" && HASH.test(hash)));
}

function isPlace(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** An entry of the chain has a hash: a signature of none would be that of any entries. */
function checkHash({ sequence, hash, chainedFrom = 1 }: SignedCheckpoint): void {
  if (hash === null && sequence >= chainedFrom) throw new Refusal("payload.hash", "is missing: it proves no entry");
}
