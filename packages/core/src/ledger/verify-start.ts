import { createPublicKey } from "node:crypto";
import { z } from "zod";
import type { SecretBox } from "../kernel/secret-box.js";
import type { SigningKey, SigningKeyStore } from "../signing/signing-key.js";
import { loadJose, publicPartOf, seedOf } from "../signing/signing-keys.js";
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

/** What the verification of a start needs. */
export interface StartContext {
  readonly store: Pick<SigningKeyStore, "listSigningKeys">;
  readonly box: Pick<SecretBox, "open">;
}

/** Verifies that the service has removed the entries before the start: only it can have signed their checkpoint. */
export async function verifyStart(
  context: StartContext,
  businessId: string,
  start: LedgerStart | null, // null = nothing was removed
): Promise<LedgerFault | null> {
  if (start === null) return null;
  const wrong = await mistakeIn(context, businessId, start);
  if (wrong === null) return null;
  return { kind: "removed", sequence: start.sequence, says: `the checkpoint of the removed entries ${wrong}` };
}

async function mistakeIn(
  { store, box }: StartContext,
  businessId: string,
  { checkpoint, sequence, hash }: LedgerStart,
): Promise<string | null> {
  const kid = await kidOf(checkpoint);
  const key = (await store.listSigningKeys()).find((each) => each.kid === kid);
  if (key !== undefined && !isOwnKey(box, key)) {
    return "cannot be verified: no secret of the service proves the key that signed it";
  }
  const payload = key === undefined ? null : await signedPayload(key, checkpoint);
  if (payload === null) return "is not valid: signature does not match";
  const { data: signed } = claimsSchema.safeParse(JSON.parse(Buffer.from(payload).toString()));
  if (signed?.businessId !== businessId || signed.sequence !== sequence || signed.hash !== hash) {
    return "is of another entry";
  }
  return signed.removed === true ? null : "does not say that retention removed them";
}

/** False = no configured secret proves that the service has made the key. Others can write rows to a database too. */
function isOwnKey(box: StartContext["box"], key: SigningKey): boolean {
  const seed = seedOf(box, key);
  return seed !== null && publicPartOf(seed) === key.publicKey;
}

/** The name of the key that a checkpoint gives. Null = it is not a JWS, or gives none. */
async function kidOf(checkpoint: string): Promise<string | null> {
  const { decodeProtectedHeader } = await loadJose();
  try {
    return decodeProtectedHeader(jwsSchema.parse(JSON.parse(checkpoint))).kid ?? null;
  } catch {
    return null;
  }
}

/** Null = the key has not signed it. */
async function signedPayload({ publicKey }: SigningKey, checkpoint: string): Promise<Uint8Array | null> {
  const { flattenedVerify } = await loadJose();
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
  try {
    const jws = jwsSchema.parse(JSON.parse(checkpoint));
    return (await flattenedVerify(jws, key, { algorithms: ["EdDSA"] })).payload;
  } catch {
    return null; // changed
  }
}
