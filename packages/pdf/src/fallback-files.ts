import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** A font of Fontsource: a file for each part of its characters. */
export interface FontFile {
  readonly name: string;
  readonly path: string;
}

interface Part {
  readonly file: FontFile;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** Installed with this package, and those that a host may add. */
const FAMILIES = [
  "noto-sans-arabic",
  "noto-sans-hebrew",
  "noto-sans-thai",
  "noto-sans-devanagari",
  "noto-sans-jp",
  "noto-sans-kr",
  "noto-sans-sc",
  "noto-sans-tc",
  "noto-emoji",
] as const;
type Family = (typeof FAMILIES)[number];

/** Chinese, Japanese and Korean share characters that each draws in its own way: the language's family comes first. */
const PREFERRED: Readonly<Record<string, Family>> = {
  zh: "noto-sans-sc",
  "zh-TW": "noto-sans-tc",
  "zh-HK": "noto-sans-tc",
  ko: "noto-sans-kr",
  ja: "noto-sans-jp",
};

const packages = createRequire(import.meta.url);
const known = new Map<Family, readonly Part[]>();

/** The files that should have the character, the best first. The list of a family's parts is read when it is asked. */
export function filesWith(codePoint: number, locale: string): FontFile[] {
  const preferred = PREFERRED[locale] ?? PREFERRED[locale.split("-")[0] ?? ""];
  const families = preferred === undefined ? FAMILIES : [preferred, ...FAMILIES];
  return families.flatMap((family) =>
    partsOf(family)
      .filter(({ ranges }) => ranges.some(([from, to]) => from <= codePoint && codePoint <= to))
      .map(({ file }) => file),
  );
}

function partsOf(family: Family): readonly Part[] {
  const read = known.get(family) ?? readParts(family);
  known.set(family, read);
  return read;
}

/** None for a family that is not installed. */
function readParts(family: Family): Part[] {
  const list = resolved(`@fontsource-variable/${family}/unicode.json`);
  if (list === null) return [];
  const parts: unknown = JSON.parse(readFileSync(list, "utf8"));
  return Object.entries(Object(parts)).flatMap(([key, ranges]) => {
    const part = key.replace(/[[\]]/g, "");
    // The script itself, or a numbered part: Latin, signs and the like are those of the package's own font.
    if (!/^\d+$/.test(part) && !family.endsWith(part)) return [];
    const name = `${family}-${part}`;
    const path = resolved(`@fontsource-variable/${family}/files/${name}-wght-normal.woff2`);
    return path === null ? [] : [{ file: { name, path }, ranges: rangesIn(String(ranges)) }];
  });
}

function resolved(specifier: string): string | null {
  try {
    return packages.resolve(specifier);
  } catch {
    return null;
  }
}

/** `U+300c-300d,U+4e00` */
function rangesIn(text: string): [number, number][] {
  return Array.from(text.matchAll(/U\+([\da-f]+)(?:-([\da-f]+))?/gi), ([, from = "", to = from]) => [
    Number.parseInt(from, 16),
    Number.parseInt(to, 16),
  ]);
}
