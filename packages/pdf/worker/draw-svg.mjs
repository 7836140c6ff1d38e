// @ts-check
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { PNG } from "pngjs";

const packages = createRequire(import.meta.url);
const MAX_BYTES = 2 * 1024 * 1024;
/** Core stores none of these. Copies and filters of a small file may cost minutes. */
const REFUSED = /<!ENTITY|<(?:[\w-]+:)?(?:use|image|filter|pattern|marker|foreignObject|script|style)\b/i;

/** @param {Uint8Array} file */
export function isSvg(file) {
  return /^(?:\ufeff|\s)*</.test(Buffer.from(file.subarray(0, 100)).toString("utf8"));
}

/**
 * The picture as large as both sides allow. Nothing is loaded: texts are in the font of the package. Throws for a file
 * that is damaged, too large, or has what core refuses.
 * @param {Uint8Array} file
 * @param {number} maxWidth
 * @param {number} maxHeight
 * @returns {Promise<import("./shrink.mjs").Picture>}
 */
export async function drawSvg(file, maxWidth, maxHeight) {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(file);
  if (file.byteLength > MAX_BYTES || REFUSED.test(text)) throw new RangeError("not an SVG of plain shapes");
  await initWasm(readFile(packages.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  const fonts = ["Inter-Regular.ttf", "Inter-SemiBold.ttf"].map((name) =>
    readFile(new URL(`../fonts/${name}`, import.meta.url)),
  );
  const font = { fontBuffers: await Promise.all(fonts), defaultFontFamily: "Inter", sansSerifFamily: "Inter" };
  const { width, height } = new Resvg(text);
  const scale = Math.min(maxWidth / width, maxHeight / height);
  const picture = new Resvg(text, { font, fitTo: { mode: "zoom", value: scale } }).render();
  return PNG.sync.read(Buffer.from(picture.asPng()));
}
