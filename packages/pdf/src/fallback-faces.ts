import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Face, Faces } from "./faces.js";
import { type FontFile, filesWith } from "./fallback-files.js";
import { shapedFace } from "./shaped-face.js";

/** Some hundred kilobytes each. */
const MAX_RECENT = 150;
/** A page of Japanese needs about thirty of its parts. Characters beyond are not drawn. */
const MAX_FILES = 120;

interface FacePair {
  readonly regular: Face;
  readonly strong: Face;
}

/** Adds the fonts that the texts need to the given ones. */
export type FallbackFaces = (texts: Iterable<string>, locale: string) => Promise<Faces>;

/** Keeps the fonts that were used last. None is read before a text needs it. */
export function createFallbackFaces(own: Faces): FallbackFaces {
  const recent = new LRUCache<string, Promise<FacePair>>({ max: MAX_RECENT });

  function open(file: FontFile): Promise<FacePair> {
    const opened = recent.get(file.name) ?? openPair(file);
    recent.set(file.name, opened);
    opened.catch(() => recent.delete(file.name));
    return opened;
  }

  return async (texts, locale) => {
    const found = new Map<string, FacePair>();
    for (const codePoint of missingIn(texts, own.regular.primary)) {
      for (const file of filesWith(codePoint, locale)) {
        const pair = found.get(file.name) ?? (found.size < MAX_FILES ? await open(file) : null);
        if (pair?.regular.has(codePoint) !== true) continue;
        found.set(file.name, pair);
        break;
      }
    }
    const pairs = [...found.values()];
    return {
      regular: { ...own.regular, fallbacks: pairs.map(({ regular }) => regular) },
      strong: { ...own.strong, fallbacks: pairs.map(({ strong }) => strong) },
    };
  };
}

const VISIBLE = /[^\p{C}\p{Z}\p{Variation_Selector}]/gu;

function missingIn(texts: Iterable<string>, { has }: Face): Set<number> {
  const missing = new Set<number>();
  for (const text of texts) {
    if (/^[\0-\u024f]*$/.test(text)) continue;
    for (const [character] of text.normalize("NFC").matchAll(VISIBLE)) {
      const codePoint = character.codePointAt(0) ?? 0;
      if (!has(codePoint)) missing.add(codePoint);
    }
  }
  return missing;
}

const WEIGHTS = { regular: 400, strong: 600 };

async function openPair({ name, path }: FontFile): Promise<FacePair> {
  const { default: woff } = await import("wawoff2"); // 1 MB, for texts of other scripts alone
  const file = await woff.decompress(await readFile(path));
  await setImmediate(); // to unpack takes some milliseconds of the event loop
  return {
    regular: shapedFace(file, `${name}-regular`, WEIGHTS.regular),
    strong: shapedFace(file, `${name}-strong`, WEIGHTS.strong),
  };
}
