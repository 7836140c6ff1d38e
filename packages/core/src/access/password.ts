import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { err, type Result } from "neverthrow";
import { checkOptionNames, type OptionNames } from "../kernel/known-names.js";
import { type Problem, unavailable } from "../kernel/problem.js";
import type { Random } from "../kernel/random.js";
import { createHashQueue, type HashQueue } from "./hash-queue.js";

/** A hasher rejects with this error when too many hashes wait; the login then fails with 503. */
export class HasherOverloaded extends Error {
  override readonly name = "HasherOverloaded";
}

/** Compares names: a host's hasher may use the class from the other module format. */
export function isHasherOverloaded(error: unknown): boolean {
  return error instanceof Error && error.name === "HasherOverloaded";
}

/** Runs work that hashes passwords. Errors: those of `run`; unavailable when too many hashes wait. */
export async function unlessOverloaded<T>(run: () => Promise<Result<T, Problem>>): Promise<Result<T, Problem>> {
  try {
    return await run();
  } catch (error) {
    if (isHasherOverloaded(error)) return err(unavailable(1));
    throw error;
  }
}

/**
 * Who waits when too many passwords are to be hashed. `known-network`: a login from a network that has logged in to the
 * account before; it goes first. `decoy`: a login to an unknown account; the hash must take time, but is not used.
 */
export type HashPriority = "known-network" | "normal" | "decoy";

/**
 * Hashes passwords for storage. A host may pass its own, for hashes that it already has. A busy hasher rejects with
 * `HasherOverloaded`.
 */
export interface PasswordHasher {
  hash(password: string, priority?: HashPriority): Promise<string>;
  /** False for another password, and for a hash in an unknown format. */
  verify(password: string, hash: string, priority?: HashPriority): Promise<boolean>;
  /** True when `hash` uses outdated parameters: the next login replaces it. */
  needsRehash(hash: string): boolean;
}

const DEFAULT_COST = 2 ** 17; // with r = 8 and p = 1, OWASP's first choice for scrypt: 128 MiB a hash
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Costs from 2 to 2^20. A hash with other parameters is refused before it takes any memory. */
const STORED = /^\$scrypt\$ln=([1-9]|1\d|20),r=8,p=1\$([\w+/]{22})\$([\w+/]{43})$/;

export interface ScryptHasherOptions {
  /** scrypt's N, a power of two. Default 2^17. */
  readonly cost?: number;
  /** Hashes computed at once. Each takes 128 MiB and one thread of the pool that files and DNS use too. Default 2. */
  readonly concurrency?: number;
}

const OPTIONS: OptionNames<ScryptHasherOptions> = { cost: true, concurrency: true };

const DEFAULT_CONCURRENCY = 2;
const MAX_WAITING = 64;

/**
 * scrypt, written as `$scrypt$ln=17,r=8,p=1$<salt>$<hash>`. At most 64 hashes wait, and another 64 for known networks;
 * further calls reject with `HasherOverloaded`. Decoys delay no other hash; their result is empty. Passwords
 * are normalised to NFKC: the same characters from another keyboard are the same password.
 * Throws a RangeError for a cost or a concurrency out of range, and for an unknown option.
 */
export function scryptHasher(random: Random, options: ScryptHasherOptions = {}): PasswordHasher {
  checkOptionNames("scryptHasher", options, OPTIONS);
  const logCost = Math.log2(options.cost ?? DEFAULT_COST);
  if (!Number.isInteger(logCost) || logCost < 1 || logCost > 20) {
    throw new RangeError("the cost of scrypt is a power of two from 2 to 2^20");
  }
  const queue = hashQueue(options.concurrency ?? DEFAULT_CONCURRENCY);
  const header = `$scrypt$ln=${logCost},r=${BLOCK_SIZE},p=${PARALLELIZATION}`;
  return {
    hash: async (password, priority) => {
      const salt = Buffer.from(random.bytes(SALT_BYTES));
      const derive = () => deriveKey(password, salt, logCost);
      if (priority === "decoy") {
        await queue.decoy(derive);
        return "";
      }
      return [header, encode(salt), encode(await runIn(queue, derive, priority))].join("$");
    },
    verify: async (password, hash, priority) => {
      const [, storedLogCost, salt, expected] = STORED.exec(hash) ?? [];
      if (storedLogCost === undefined || salt === undefined || expected === undefined) return false;
      const derive = () => deriveKey(password, Buffer.from(salt, "base64"), Number(storedLogCost));
      const derived = await runIn(queue, derive, priority);
      return timingSafeEqual(derived, Buffer.from(expected, "base64"));
    },
    needsRehash: (hash) => !hash.startsWith(`${header}$`),
  };
}

function hashQueue(concurrency: number): HashQueue {
  if (!Number.isInteger(concurrency) || concurrency < 1) throw new RangeError("concurrency is a whole number from 1");
  const refusal = () => new HasherOverloaded("too many passwords are being hashed");
  return createHashQueue({ slots: concurrency, maxWaiting: MAX_WAITING }, refusal);
}

function runIn(queue: HashQueue, derive: () => Promise<Buffer>, priority: HashPriority = "normal"): Promise<Buffer> {
  return priority === "known-network" ? queue.runKnown(derive) : queue.run(derive);
}

function encode(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

const scryptAsync = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

function deriveKey(password: string, salt: Uint8Array, logCost: number): Promise<Buffer> {
  const cost = 2 ** logCost;
  const maxmem = 256 * BLOCK_SIZE * (cost + 4); // twice the need; Node's default allows a cost of at most 2^14
  const options = { cost, blockSize: BLOCK_SIZE, parallelization: PARALLELIZATION, maxmem };
  return scryptAsync(password.normalize("NFKC"), salt, HASH_BYTES, options);
}
