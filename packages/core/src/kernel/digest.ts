import { hash } from "node:crypto";
import type { Random } from "./random.js";

/** SHA-256 of the text's UTF-8 bytes, in lower-case hexadecimal: what is stored in the place of a credential. */
export function sha256Hex(text: string): string {
  return hash("sha256", text, "hex"); // one call into OpenSSL: a third of the time that createHash takes
}

/** An opaque token of `bytes` random bytes, in base64url. */
export function randomToken(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString("base64url");
}
