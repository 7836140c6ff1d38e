import { err, ok, type Result } from "neverthrow";
import { SaxesParser, type SaxesTagNS } from "saxes";
import { ownTurn } from "../kernel/in-turns.js";

const SVG = "http://www.w3.org/2000/svg";

/** Shapes, groups, gradients and plain text. Nothing here loads, links, runs or animates. */
const ELEMENTS = new Set(
  (
    "svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath mask " +
    "title desc text tspan"
  ).split(" "),
);

const ATTRIBUTES = new Set(
  (
    "id d x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height points viewBox preserveAspectRatio transform " +
    "gradientTransform gradientUnits spreadMethod clipPathUnits maskUnits maskContentUnits offset version pathLength " +
    "fill fill-opacity fill-rule clip-rule clip-path mask stroke stroke-width stroke-opacity stroke-linecap " +
    "stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color stop-color stop-opacity " +
    "font-family font-size font-weight font-style text-anchor letter-spacing display visibility"
  ).split(" "),
);

/** Elements without which the image would look wrong, or that show an intent to run something: the file is refused. */
const REFUSED = new Set("script style foreignObject image use iframe object embed".split(" "));

const MAX_ELEMENTS = 5_000;
const MAX_DEPTH = 50;
/** Of one element, and declarations in its style: an element is read in one piece. */
const MAX_ATTRIBUTES = 200;
/** Characters that one turn of the event loop reads. */
const TURN_CHARACTERS = 16 * 1024;
const MAX_SIDE = 10_000;

/** A value may refer to a part of this image: `url(#a)`. Any other function of addresses, and any escape, goes. */
const REFERENCE = /^url\(#[\w.-]+\)$/;
const SUSPICIOUS = /url|[\\@<&]|script|expression|image|import|:\/\//i;

/**
 * The image written again with known elements and attributes alone, or why that is not possible. It is read in turns of the
 * event loop.
 */
export async function safeSvg(bytes: Uint8Array): Promise<Result<string, string>> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return ok(await rewritten(text));
  } catch (error) {
    return err(error instanceof UnsafeImage ? error.message : "it is none of these, or damaged");
  }
}

class UnsafeImage extends Error {}

/** Throws an Error for text that is not well-formed XML, and UnsafeImage. */
async function rewritten(text: string): Promise<string> {
  const parser = new SaxesParser({ xmlns: true });
  const writer = new SvgWriter();
  let attributes = 0; // of the element that is being read
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", (declaration) => {
    if (declaration.includes("[")) throw new UnsafeImage("the SVG declares entities");
  });
  parser.on("opentagstart", () => {
    attributes = 0;
  });
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) throw new UnsafeImage("an element of the SVG has too many attributes");
  });
  parser.on("opentag", (tag) => writer.open(tag));
  parser.on("closetag", () => writer.close());
  parser.on("text", (content) => writer.text(content));
  parser.on("cdata", (content) => writer.text(content));
  for (let at = 0; at < text.length; at += TURN_CHARACTERS) {
    if (at > 0) await ownTurn();
    parser.write(text.slice(at, at + TURN_CHARACTERS));
  }
  parser.close();
  return writer.result();
}

class SvgWriter {
  #markup = "";
  #depth = 0;
  #elements = 0;
  #droppedFrom: number | null = null; // depth of the outermost dropped element; null = within none
  readonly #open: string[] = [];

  open({ local, uri, attributes, prefix }: SaxesTagNS): void {
    this.#depth += 1;
    this.#elements += 1;
    if (this.#depth > MAX_DEPTH || this.#elements > MAX_ELEMENTS)
      throw new UnsafeImage("the SVG has too many elements");
    if (REFUSED.has(local)) throw new UnsafeImage(`the SVG has the element ${local}; convert it to plain shapes`);
    const isRoot = this.#depth === 1;
    if (isRoot && (local !== "svg" || uri !== SVG)) throw new UnsafeImage("it is none of these");
    if (this.#droppedFrom !== null) return;
    if (uri !== SVG || prefix !== "" || !ELEMENTS.has(local)) {
      this.#droppedFrom = this.#depth;
      return;
    }
    const kept = keptOf(Object.values(attributes));
    if (isRoot) checkSides(kept);
    const written = [...kept].map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
    this.#markup += `<${local}${isRoot ? ` xmlns="${SVG}"` : ""}${written}>`;
    this.#open.push(local);
  }

  close(): void {
    const isDropped = this.#droppedFrom !== null;
    if (this.#droppedFrom === this.#depth) this.#droppedFrom = null;
    this.#depth -= 1;
    if (!isDropped) this.#markup += `</${this.#open.pop() ?? ""}>`;
  }

  text(content: string): void {
    if (this.#droppedFrom === null) this.#markup += escaped(content);
  }

  result(): string {
    return this.#markup;
  }
}

type Attribute = readonly [name: string, value: string];

/** The safe attributes by name, as a repeated one is not well-formed. A style has precedence, as in browsers. */
function keptOf(given: readonly { readonly name: string; readonly value: string }[]): ReadonlyMap<string, string> {
  const styles = given.filter(({ name }) => name === "style");
  const others = given.filter(({ name }) => name !== "style");
  return new Map([...others, ...styles].flatMap(({ name, value }) => attributesOf(name, value)));
}

/** The safe attributes of one attribute: a `style` becomes the attributes that its declarations name. */
function attributesOf(name: string, value: string): readonly Attribute[] {
  if (name === "style") {
    const declarations = value.split(";", MAX_ATTRIBUTES + 1);
    if (declarations.length > MAX_ATTRIBUTES) throw new UnsafeImage("an element of the SVG has too many styles");
    return declarations.flatMap((declaration) => {
      const [property = "", ...rest] = declaration.split(":");
      return attributesOf(property.trim() === "style" ? "" : property.trim(), rest.join(":").trim());
    });
  }
  if (!ATTRIBUTES.has(name)) return [];
  return REFERENCE.test(value.trim()) || !SUSPICIOUS.test(value) ? [[name, value]] : [];
}

/** Images without a size would take the whole page in some viewers. */
function checkSides(attributes: ReadonlyMap<string, string>): void {
  const [, , width = "", height = ""] = (attributes.get("viewBox") ?? "").trim().split(/[\s,]+/);
  const sides = attributes.has("viewBox") ? [width, height] : [attributes.get("width"), attributes.get("height")];
  const fits = sides.every((side) => {
    const length = Number.parseFloat(side ?? "");
    return length > 0 && length <= MAX_SIDE;
  });
  if (!fits) throw new UnsafeImage(`the SVG needs a viewBox, or a width and a height, of at most ${MAX_SIDE}`);
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? "");
}
