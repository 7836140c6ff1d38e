import { crc32 } from "node:zlib";
import type { Random } from "../../kernel/random.js";
import { sha256Hex } from "../../kernel/secret-box.js";

/** The key itself is shown once and not stored. */
export interface MintedKey {
  readonly key: string;
  readonly keyPrefix: string; // identifies the key in a list
  readonly keyHash: string;
}

const MARK = "bgk_live_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6; // 62^6 > 2^32
const PREFIX_LENGTH = 12;
const WELL_FORMED = /^bgk_live_[0-9A-Za-z]{38}$/;
/** Bytes from here on are skipped: 256 is no multiple of 62, so they would favour some digits. */
const FIRST_BIASED_BYTE = 256 - (256 % DIGITS.length);

/** Makes a key: `bgk_live_`, 32 random digits of base 62 (190 bits), and the checksum of both. */
export function mintKey(random: Random): MintedKey {
  const unsigned = MARK + randomDigits(random, BODY_LENGTH);
  const key = unsigned + checksumOf(unsigned);
  return { key, keyPrefix: key.slice(0, PREFIX_LENGTH), keyHash: hashKey(key) };
}

/** True for a text that this service may have minted. Other texts need no lookup. */
export function isWellFormedKey(text: string): boolean {
  return WELL_FORMED.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH)));
}

/** True for a text that is meant as a key, a malformed one too. No login token begins with the mark. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith(MARK);
}

/** The stored form of a key. A fast hash is enough: a key has too many random bits to be guessed. */
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

/** CRC32 in base 62: detects typing errors and lets secret scanners recognise real keys. */
function checksumOf(text: string): string {
  let remainder = crc32(text);
  let digits = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = DIGITS.charAt(remainder % DIGITS.length) + digits;
    remainder = Math.floor(remainder / DIGITS.length);
  }
  return digits;
}
