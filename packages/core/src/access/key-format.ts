import { crc32 } from "node:zlib";
import { sha256Hex } from "../kernel/digest.js";
import type { Random } from "../kernel/random.js";

/** A new key as it is shown once, and what is kept of it. */
export interface MintedKey {
  readonly key: string;
  readonly keyPrefix: string; // tells keys apart in a list
  readonly keyHash: string;
}

const MARK = "bgk_live_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6; // 62^6 > 2^32
const PREFIX_LENGTH = 12;
const WELL_FORMED = /^bgk_live_[0-9A-Za-z]{38}$/;
/** Bytes from here on would make some digits likelier than others: 256 is no multiple of 62. */
const FIRST_BIASED_BYTE = 256 - (256 % DIGITS.length);

/** Makes a key: `bgk_live_`, 32 random digits of base 62 (190 bits), and the checksum of both. */
export function mintKey(random: Random): MintedKey {
  const unsigned = MARK + randomDigits(random, BODY_LENGTH);
  const key = unsigned + checksumOf(unsigned);
  return { key, keyPrefix: key.slice(0, PREFIX_LENGTH), keyHash: hashKey(key) };
}

/** True for a text that this service may have minted: others are refused without a look into the store. */
export function isWellFormedKey(text: string): boolean {
  return WELL_FORMED.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH)));
}

/** What is stored and looked up in the place of a key. Fast on purpose: a key has too many bits to be guessed. */
export function hashKey(key: string): string {
  return sha256Hex(key);
}

function randomDigits(random: Random, count: number): string {
  let digits = "";
  while (digits.length < count) {
    for (const byte of random.bytes(count)) {
      if (byte < FIRST_BIASED_BYTE) digits += DIGITS.charAt(byte % DIGITS.length);
    }
  }
  return digits.slice(0, count);
}

/** CRC32 in base 62: catches typing errors and lets secret scanners tell real keys from look-alikes. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
