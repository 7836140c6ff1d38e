import { randomBytes } from "node:crypto";

/** Where the service draws randomness: tokens, salts, request ids. Tests hand in a seeded one. */
export interface Random {
  bytes(size: number): Uint8Array;
}

/** The operating system's generator. The only place in the core that draws from it. */
export const systemRandom: Random = { bytes: (size) => randomBytes(size) };
