import { createPublicKey } from "node:crypto";
import { z } from "zod";
import type { SigningKey, SigningKeyStore } from "../signing/signing-key.js";
import { loadJose } from "../signing/signing-keys.js";
import { CHECKPOINT_TYPE } from "./ledger-checkpoint.js";
import type { LedgerStart } from "./ledger-store.js";
import type { LedgerFault } from "./verify-ledger.js";

const jwsSchema = z.object({ payload: z.string(), protected: z.string(), signature: z.string() });
const claimsSchema = z.object({
  type: z.literal(CHECKPOINT_TYPE),
  businessId: z.string(),
  sequence: z.number(),
  hash: z.string().nullable(),
  removed: z.boolean().optional(),
});

/** Verifies that the service has removed the entries before the start: only it can have signed their checkpoint. */
export async function verifyStart(
  store: Pick<SigningKeyStore, "listSigningKeys">,
  businessId: string,
  start: LedgerStart | null, // null = nothing was removed
): Promise<LedgerFault | null> {
  if (start === null) return null;
  const wrong = await mistakeIn(await store.listSigningKeys(), businessId, start);
  if (wrong === null) return null;
  return { kind: "removed", sequence: start.sequence, says: `the checkpoint of the removed entries ${wrong}` };
}

async function mistakeIn(
  keys: readonly SigningKey[],
  businessId: string,
  { checkpoint, sequence, hash }: LedgerStart,
): Promise<string | null> {
  const payload = await signedPayload(keys, checkpoint);
  if (payload === null) return "is not valid: signature does not match";
  const { data: signed } = claimsSchema.safeParse(JSON.parse(Buffer.from(payload).toString()));
  if (signed?.businessId !== businessId || signed.sequence !== sequence || signed.hash !== hash) {
    return "is of another entry";
  }
  return signed.removed === true ? null : "does not say that retention removed them";
}

/** Null = no key of the service has signed it. */
async function signedPayload(keys: readonly SigningKey[], checkpoint: string): Promise<Uint8Array | null> {
  const { flattenedVerify } = await loadJose();
  try {
    const jws = jwsSchema.parse(JSON.parse(checkpoint));
    const verified = await flattenedVerify(
      jws,
      (header?: { readonly kid?: string }) => {
        const x = keys.find(({ kid }) => kid === header?.kid)?.publicKey;
        return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: x ?? "" }, format: "jwk" });
      },
      { algorithms: ["EdDSA"] },
    );
    return verified.payload;
  } catch {
    return null; // not a JWS, of another key, or changed
  }
}
