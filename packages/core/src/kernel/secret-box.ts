import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "./random.js";

/** Keeps short texts unreadable at rest. */
export interface SecretBox {
  /** Encrypts `plaintext`; only `open` with the same `boundTo` (the row it belongs to, say) gives it back. */
  seal(plaintext: string, boundTo: string): string;
  /** null = tampered with, bound to something else, or sealed under a secret that is no longer known. */
  open(sealed: string, boundTo: string): string | null;
}

/** Everything that is derived from the secrets of the service. */
export interface ServiceSecrets {
  readonly box: SecretBox;
  readonly tokenKeys: readonly [Uint8Array, ...Uint8Array[]]; // the first signs, all verify
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = "v1.";

/**
 * Derives the keys for tokens and for encryption by HKDF-SHA256, so that no secret is used raw and no key serves two
 * purposes. The first secret signs and encrypts; every one verifies and decrypts, which is how secrets are rotated.
 * Throws a RangeError when there is no secret or an empty one.
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

/** AES-256-GCM; what it is bound to goes in as additional data. */
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
