import { readFile } from "node:fs/promises";
import {
  type CheckpointVerification,
  type KeySet,
  type SignedCheckpoint,
  verifyCheckpoint,
} from "@budgetkit/client/evidence";
import type { Store } from "@budgetkit/core/store";
import { z } from "zod";
import { printable } from "../terminal/complaint.js";
import { StartFailure } from "../terminal/failures.js";
import { isolated } from "../terminal/quoted.js";

/** The public keys of a database, which verify what the service has signed. */
export async function keysIn(store: Pick<Store, "listSigningKeys">): Promise<KeySet> {
  const keys = await store.listSigningKeys();
  return { keys: keys.map(({ kid, publicKey: x }) => ({ kty: "OKP", crv: "Ed25519", kid, x })) };
}

/** Whether a signed file is a checkpoint of a ledger, by what it says of itself. */
export function isCheckpoint(file: Uint8Array): boolean {
  try {
    const { payload } = z.object({ payload: z.string() }).parse(JSON.parse(Buffer.from(file).toString()));
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    return z.object({ type: z.literal("budgetkit.ledger.v1") }).safeParse(claims).success;
  } catch {
    return false;
  }
}

/** Throws a StartFailure for a checkpoint that is not valid. */
export function validCheckpoint(verified: CheckpointVerification): CheckpointVerification & { readonly ok: true } {
  if (!verified.ok) {
    throw new StartFailure(
      `The checkpoint is not valid: ${isolated(printable(`${verified.field} ${verified.reason}`))}.`,
    );
  }
  return verified;
}

export async function readCheckpoint(path: string, keys: KeySet): Promise<SignedCheckpoint> {
  const file = await readFile(path).catch(() => {
    throw new StartFailure(`${path} cannot be read.`);
  });
  return validCheckpoint(await verifyCheckpoint(file, keys)).signed;
}

export function checkpointText({ businessId, sequence, hash, at, removed }: SignedCheckpoint): string {
  const place = `entry ${sequence} of the business ${businessId}`;
  if (hash === null) return printable(`${place} was the last one at ${at}; no entry is chained yet, so none is proven`);
  const was = removed === true ? "was the last one that retention had removed" : "was the last one";
  return printable(`${place} ${was} at ${at}, with the hash ${hash}`);
}
