import { createCipheriv, createDecipheriv, hash, hkdfSync } from "node:crypto";
import type { Random } from "./random.js";

/** Encrypts short texts at rest. */
export interface SecretBox {
  /** Encrypts `plaintext`. Only `open` with the same `boundTo` (the id of its row, for example) decrypts it. */
  seal(plaintext: string, boundTo: string): string;
  /** Decrypts. Null = changed bytes, another `boundTo`, or a secret that the service does not have. */
  open(sealed: string, boundTo: string): string | null;
}

/** The keys that are derived from the secrets of the service. */
export interface ServiceSecrets {
  readonly box: SecretBox;
  readonly tokenKeys: readonly [Uint8Array, ...Uint8Array[]]; // the first signs, all verify
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = "v1.";

/**
 * Derives the keys for tokens and for encryption by HKDF-SHA256: no secret is used raw, and no key serves two purposes.
 * The first secret signs and encrypts. All secrets verify and decrypt, so that secrets can be rotated.
 * Throws a RangeError for an empty list and for an empty secret.
 */
export function deriveSecrets(secrets: readonly string[], random: Random): ServiceSecrets {
  const [current, ...former] = secrets;
  if (current === undefined || secrets.includes("")) throw new RangeError("the service needs a secret");
  return {
    box: createBox(deriveKey(current, "encryption"), deriveKeys(former, "encryption"), random),
    tokenKeys: [deriveKey(current, "tokens"), ...deriveKeys(former, "tokens")],
  };
}

function deriveKeys(secrets: readonly string[], purpose: string): Uint8Array[] {
  return secrets.map((secret) => deriveKey(secret, purpose));
}

function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", `budgetkit/${purpose}/v1`, KEY_BYTES));
}

/** AES-256-GCM. `boundTo` is the additional authenticated data. */
function createBox(current: Uint8Array, former: readonly Uint8Array[], random: Random): SecretBox {
  const keys = [current, ...former];
  return {
    seal: (plaintext, boundTo) => {
      const nonce = random.bytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", current, nonce).setAAD(Buffer.from(boundTo));
      const sealed = Buffer.concat([nonce, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return FORMAT + sealed.toString("base64url");
    },
    open: (sealed, boundTo) => {
      if (!sealed.startsWith(FORMAT)) return null;
      const bytes = Buffer.from(sealed.slice(FORMAT.length), "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      for (const key of keys) {
        const plaintext = decrypt(key, bytes, boundTo);
        if (plaintext !== null) return plaintext;
      }
      return null;
    },
  };
}

function decrypt(key: Uint8Array, bytes: Buffer, boundTo: string): string | null {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null; // the tag does not match: another key, another binding or changed bytes
  }
}

/** SHA-256 of the text's UTF-8 bytes, in lower-case hexadecimal. Stores keep this digest instead of a credential. */
export function sha256Hex(text: string): string {
  return hash("sha256", text, "hex"); // three times as fast as createHash
}
