import type { ViewDevice } from "../link-view-store.js";

/** Longer headers are not read to their end. */
const MAX_CHARACTERS = 512;

/** The first rule with a word that the header has decides: tablets also name the systems of phones and computers. */
const WORDS: readonly (readonly [ViewDevice, readonly string[]])[] = [
  ["tablet", ["ipad", "tablet", "kindle", "silk/", "playbook"]],
  ["phone", ["iphone", "ipod", "mobile", "windows phone"]],
  ["tablet", ["android"]], // phones with Android name Mobile too
  ["computer", ["windows nt", "macintosh", "x11", "cros ", "linux"]],
];

/**
 * The kind of device that a User-Agent header names, and nothing else of the header; null = there was none. A header says
 * what it likes, so this is for people to read and decides nothing.
 */
export function deviceOf(userAgent: string | null): ViewDevice {
  const text = (userAgent ?? "").slice(0, MAX_CHARACTERS).toLowerCase();
  return WORDS.find(([, words]) => words.some((word) => text.includes(word)))?.[0] ?? "unknown";
}
