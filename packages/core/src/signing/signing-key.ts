import type { Instant } from "../kernel/clock.js";

/** An Ed25519 key pair of the service. The one with the highest number signs; the others verify what they signed. */
export interface SigningKey {
  readonly number: number; // from 1, without gaps
  readonly kid: string; // the thumbprint of the public key (RFC 7638)
  readonly publicKey: string; // its 32 bytes in base64url
  readonly sealedPrivateKey: string; // encrypted
  readonly createdAt: Instant;
}

/** The port of the signing keys, which all businesses share. */
export interface SigningKeyStore {
  /** All keys, by their number. */
  listSigningKeys(): Promise<readonly SigningKey[]>;

  /** Adds a key. Of several writers of one number exactly one gets true; the others have written nothing. */
  insertSigningKey(key: SigningKey): Promise<boolean>;
}
