import { randomBytes } from "node:crypto";

/** The source of randomness: tokens, salts, request ids. Tests pass a seeded one. */
export interface Random {
  bytes(size: number): Uint8Array;
}

/** The operating system's generator. Only this file of the core draws from it. */
export const systemRandom: Random = { bytes: (size) => randomBytes(size) };

/** An opaque token of `bytes` random bytes, in base64url. */
export function randomToken(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString("base64url");
}
