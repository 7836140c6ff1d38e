import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Random } from "../kernel/random.js";
import { createHashingQueue } from "./hashing-queue.js";

/**
 * Turns passwords into what may be stored. A host may bring its own, for hashes that it already has. One that has too
 * much to do rejects with `HasherOverloaded`.
 */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** False for another password and for a hash that it does not know how to read. */
  verify(password: string, hash: string): Promise<boolean>;
  /** True when `hash` would be made otherwise today: the next login replaces it. */
  needsRehash(hash: string): boolean;
}

const DEFAULT_COST = 2 ** 17; // with r = 8 and p = 1, OWASP's first choice for scrypt: 128 MiB a hash
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Costs of 2 to 2^20; what else a hash may ask for is refused before any memory is spent on it. */
const STORED = /^\$scrypt\$ln=([1-9]|1\d|20),r=8,p=1\$([\w+/]{22})\$([\w+/]{43})$/;

export interface ScryptHasherOptions {
  /** scrypt's N, a power of two. Default 2^17. */
  readonly cost?: number;
  /** How many hashes are computed at once: each takes 128 MiB, and a thread that files and DNS need too. Default 2. */
  readonly concurrency?: number;
}

const DEFAULT_CONCURRENCY = 2;

/**
 * scrypt, written as `$scrypt$ln=17,r=8,p=1$<salt>$<hash>`. At most 64 hashes wait for their turn; it rejects with
 * `HasherOverloaded` beyond.
 * A password is taken in Unicode's NFKC form: the same characters from another keyboard are the same password.
 */
export function scryptHasher(random: Random, options: ScryptHasherOptions = {}): PasswordHasher {
  const logCost = Math.log2(options.cost ?? DEFAULT_COST);
  if (!Number.isInteger(logCost) || logCost < 1 || logCost > 20) {
    throw new RangeError("the cost of scrypt is a power of two from 2 to 2^20");
  }
  const inTurn = createHashingQueue(options.concurrency ?? DEFAULT_CONCURRENCY);
  const header = `$scrypt$ln=${logCost},r=${BLOCK_SIZE},p=${PARALLELIZATION}`;
  return {
    hash: async (password) => {
      const salt = Buffer.from(random.bytes(SALT_BYTES));
      return [header, encode(salt), encode(await inTurn(() => derive(password, salt, logCost)))].join("$");
    },
    verify: async (password, hash) => {
      const [, storedLogCost, salt, expected] = STORED.exec(hash) ?? [];
      if (storedLogCost === undefined || salt === undefined || expected === undefined) return false;
      const derived = await inTurn(() => derive(password, Buffer.from(salt, "base64"), Number(storedLogCost)));
      return timingSafeEqual(derived, Buffer.from(expected, "base64"));
    },
    needsRehash: (hash) => !hash.startsWith(`${header}$`),
  };
}

function encode(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

const scryptAsync = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

function derive(password: string, salt: Uint8Array, logCost: number): Promise<Buffer> {
  const cost = 2 ** logCost;
  const maxmem = 256 * BLOCK_SIZE * (cost + 4); // twice what it takes; Node allows no more than a cost of 2^14 by itself
  const options = { cost, blockSize: BLOCK_SIZE, parallelization: PARALLELIZATION, maxmem };
  return scryptAsync(password.normalize("NFKC"), salt, HASH_BYTES, options);
}
