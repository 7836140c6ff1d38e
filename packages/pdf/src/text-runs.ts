import { beginsRightToLeft, levelsOf } from "./bidi.js";
import { type Face, faceOf, type Typeface } from "./faces.js";
import { INVISIBLE } from "./printable.js";

/** A line of printable text, and the direction of the paragraph that it is of. */
export interface Line {
  readonly text: string;
  readonly isRightToLeft: boolean;
}

/** A part of a line in one font and one direction. */
export interface Run {
  readonly text: string;
  readonly face: Face;
  readonly isRightToLeft: boolean;
}

/** Letters that are written from right to left, and isolates. */
const TURNING = /[\u0590-\u08ff\u2068\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of a paragraph is that of its first letter, as with `dir="auto"` of HTML. */
export function isRightToLeft(paragraph: string): boolean {
  return TURNING.test(paragraph) && beginsRightToLeft(paragraph);
}

/** The runs of a line, from left to right. Source of the order: Unicode Standard Annex 9, rule L2. */
export function runsOf({ text, isRightToLeft: turned }: Line, typeface: Typeface): Run[] {
  const levels = turned || TURNING.test(text) ? levelsOf(text, turned) : new Uint8Array();
  const runs = splitRuns(text, levels, typeface);
  const highest = runs.reduce((most, { level }) => Math.max(most, level), 0);
  for (let level = highest; level > 0; level -= 1) reverseFrom(runs, level);
  return runs.map(({ face, level, text: part }) => ({ face, text: part, isRightToLeft: level % 2 === 1 }));
}

/** The width of a part of a line, in whatever direction it is drawn. */
export function widthOf(text: string, typeface: Typeface, size: number): number {
  if (typeface.fallbacks.length === 0 && !INVISIBLE.test(text)) return typeface.primary.widthOf(text, size);
  return splitRuns(text, new Uint8Array(), typeface).reduce((sum, run) => sum + run.face.widthOf(run.text, size), 0);
}

interface LevelRun {
  text: string;
  readonly face: Face;
  readonly level: number; // odd = from right to left
}

function splitRuns(text: string, levels: Uint8Array, typeface: Typeface): LevelRun[] {
  const runs: LevelRun[] = [];
  let at = 0;
  for (const character of text) {
    const level = levels[at] ?? 0;
    at += character.length;
    const codePoint = character.codePointAt(0) ?? 0;
    const last = runs.at(-1);
    const belongs = INVISIBLE.test(character) || /\p{M}/u.test(character); // to what stands before it
    if (belongs && last?.face.has(codePoint) === true) {
      last.text += character;
      continue;
    }
    const face = faceOf(codePoint, typeface);
    if (face === null || INVISIBLE.test(character)) continue;
    if (last !== undefined && last.face === face && last.level === level) last.text += character;
    else runs.push({ text: character, face, level });
  }
  return runs;
}

function reverseFrom(runs: LevelRun[], level: number): void {
  for (let from = 0; from < runs.length; from += 1) {
    let to = from;
    while ((runs[to]?.level ?? -1) >= level) to += 1;
    if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse());
    from = Math.max(from, to);
  }
}
