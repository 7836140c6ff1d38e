import { createPublicKey } from "node:crypto";
import { z } from "zod";
import type { SecretBox } from "../kernel/secret-box.js";
import type { SigningKey, SigningKeyStore } from "../signing/signing-key.js";
import { type FlattenedJws, loadJose, publicPartOf, seedOf } from "../signing/signing-keys.js";

const jwsSchema = z.object({ payload: z.string(), protected: z.string(), signature: z.string() });

/** What the verification of the service's own statements needs. */
export interface StatementContext {
  readonly store: Pick<SigningKeyStore, "listSigningKeys">;
  readonly box: Pick<SecretBox, "open">;
}

/** What signing the service's own statements needs. */
export interface StatementSigner {
  readonly sign: (value: unknown) => Promise<FlattenedJws>;
  readonly publicBaseUrl: string;
}

export type OpenedStatement =
  | { readonly claims: unknown; readonly isCurrent: boolean } // true = the key that signed it still signs
  | { readonly wrong: string; readonly unproven: unknown }; // what a key has signed that no secret proves; null = nothing

/** What the service has signed, as JSON of a JWS. Only a key that a secret of the service opens counts. */
export async function openStatement({ store, box }: StatementContext, statement: string): Promise<OpenedStatement> {
  const kid = await kidOf(statement);
  const keys = await store.listSigningKeys();
  const key = keys.find((each) => each.kid === kid);
  const payload = key === undefined ? null : await signedPayload(key, statement);
  const claims: unknown = payload === null ? null : JSON.parse(Buffer.from(payload).toString());
  if (key !== undefined && !isOwnKey(box, key)) {
    const wrong = "cannot be verified: no secret of the service proves the key that signed it";
    return { wrong, unproven: claims };
  }
  if (payload === null) return { wrong: "is not valid: signature does not match", unproven: null };
  return { claims, isCurrent: key === keys.at(-1) };
}

/** False = no configured secret proves that the service has made the key. Others can write rows to a database too. */
function isOwnKey(box: StatementContext["box"], key: SigningKey): boolean {
  const seed = seedOf(box, key);
  return seed !== null && publicPartOf(seed) === key.publicKey;
}

/** The name of the key that a statement gives. Null = it is not a JWS, or gives none. */
async function kidOf(statement: string): Promise<string | null> {
  const { decodeProtectedHeader } = await loadJose();
  try {
    return decodeProtectedHeader(jwsSchema.parse(JSON.parse(statement))).kid ?? null;
  } catch {
    return null;
  }
}

/** Null = the key has not signed it. */
async function signedPayload({ publicKey }: SigningKey, statement: string): Promise<Uint8Array | null> {
  const { flattenedVerify } = await loadJose();
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
  try {
    const jws = jwsSchema.parse(JSON.parse(statement));
    return (await flattenedVerify(jws, key, { algorithms: ["EdDSA"] })).payload;
  } catch {
    return null; // changed
  }
}
