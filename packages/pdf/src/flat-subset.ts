import type { Font, Glyph, Path, Subset } from "fontkit";

/** What fontkit's subset of a TrueType font has beside its types. */
interface TrueTypeSubset {
  glyf: Uint8Array[];
  offset: number;
  readonly loca: { readonly offsets: number[]; version: number };
  readonly hmtx: { readonly metrics: { advance: number; bearing: number }[] };
  _addGlyph(id: number): number;
}

const LONG_OFFSETS = 1;

/**
 * Makes a font's subsets from the outlines of its glyphs. fontkit cannot write a glyph of a variable font, and copies one
 * that is made of others with its parts where the default weight has them.
 */
export function flattenSubsets(font: Font): Font {
  const create = font.createSubset.bind(font);
  const createSubset = (): Subset => {
    const subset = create();
    const trueType = subset as unknown as TrueTypeSubset; // its types name two methods alone
    trueType._addGlyph = (id) => addOutline(trueType, font.getGlyph(id));
    return subset;
  };
  return Object.assign(font, { createSubset });
}

function addOutline(subset: TrueTypeSubset, { path, advanceWidth }: Glyph): number {
  const outline = outlineOf(path);
  const bearing = outline.length === 0 ? 0 : Math.round(path.bbox.minX);
  subset.loca.version = LONG_OFFSETS;
  subset.glyf.push(outline);
  subset.loca.offsets.push(subset.offset);
  subset.hmtx.metrics.push({ advance: Math.round(advanceWidth), bearing });
  subset.offset += outline.length;
  return subset.glyf.length - 1;
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly isOnCurve: boolean;
}

const HEAD = 10; // the number of contours and the corners of the box

/** A glyph of one part, without hints. Source: OpenType, glyf table, "Simple glyph description". */
function outlineOf(path: Path): Uint8Array {
  const { points, ends } = contoursOf(path);
  if (points.length === 0) return new Uint8Array();
  const size = HEAD + 2 * ends.length + 2 + 5 * points.length;
  const outline = Buffer.alloc(size + ((4 - (size % 4)) % 4));
  const { minX, minY, maxX, maxY } = path.bbox;
  let at = 0;
  const put = (value: number) => {
    at = outline.writeInt16BE(Math.max(-0x8000, Math.min(0x7fff, value)), at);
  };
  for (const value of [ends.length, ...[minX, minY].map(Math.floor), ...[maxX, maxY].map(Math.ceil), ...ends])
    put(value);
  put(0); // instructions
  for (const { isOnCurve } of points) at = outline.writeUInt8(isOnCurve ? 1 : 0, at);
  for (const axis of ["x", "y"] as const) {
    let last = 0;
    for (const point of points) {
      put(point[axis] - last);
      last = point[axis];
    }
  }
  return outline;
}

/** The points of a path, and the index of the last one of each contour. */
function contoursOf({ commands }: Path): { points: Point[]; ends: number[] } {
  const points: Point[] = [];
  const ends: number[] = [];
  const end = () => {
    if (points.length > (ends.at(-1) ?? -1) + 1) ends.push(points.length - 1);
  };
  for (const { command, args } of commands) {
    if (command === "moveTo") end();
    for (let at = 0; at + 1 < args.length; at += 2) {
      const isOnCurve = at + 2 === args.length; // the last point of a curve
      points.push({ x: Math.round(args[at] ?? 0), y: Math.round(args[at + 1] ?? 0), isOnCurve });
    }
  }
  end();
  return { points, ends };
}
