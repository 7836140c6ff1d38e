// @ts-check
// A worker thread for one picture. To decode a small file may take seconds and a hundred megabytes: the thread of the
// requests does neither. Plain JavaScript beside `src` and `dist`, so that tests of the sources start it as it is.
import { parentPort, workerData } from "node:worker_threads";
import jpeg from "jpeg-js";
import { PNG } from "pngjs";
import { decodeJpeg } from "./decode-jpeg.mjs";
import { decodePng, MAX_PIXELS } from "./decode-png.mjs";
import { drawSvg, isSvg } from "./draw-svg.mjs";
import { shrink } from "./shrink.mjs";

const JPEG_QUALITY = 90;
/** Of a stored JPEG: that many were accepted while PDFs embedded JPEGs undecoded. */
const MAX_STORED_JPEG_PIXELS = 4_096 * 4_096;
const WHITE = { red: 255, green: 255, blue: 255 };

/**
 * What the thread is started with, as `src/reduced-picture.ts` writes it.
 * @typedef {{ bytes: Uint8Array, use: "store" | "print", width: number, height: number }} Order
 */

parentPort?.postMessage(await reduced(/** @type {Order} */ (workerData)));

/**
 * The picture in at most that width and height. For `store` it is the given file where that is small enough; for `print`
 * always a new file, opaque and without any metadata. An SVG is drawn as large as it may be, for either use. Null = none of
 * these, damaged, or too large.
 * @param {Order} order
 * @returns {Promise<Uint8Array | null>}
 */
async function reduced({ bytes, use, width, height }) {
  const file = Buffer.from(bytes);
  const isJpeg = file[0] === 0xff;
  try {
    if (isSvg(file)) return encodePng(await drawSvg(file, width, height), use === "print");
    const picture = isJpeg ? decodeJpeg(file, use === "print" ? MAX_STORED_JPEG_PIXELS : MAX_PIXELS) : decodePng(file);
    const fits = picture.width <= width && picture.height <= height;
    if (fits && use === "store") return bytes;
    const small = fits ? picture : shrink(picture, width, height);
    return isJpeg ? jpeg.encode(small, JPEG_QUALITY).data : encodePng(small, use === "print");
  } catch {
    return null;
  }
}

/**
 * @param {import("./shrink.mjs").Picture} picture
 * @param {boolean} isOpaque
 */
function encodePng(picture, isOpaque) {
  const png = Object.assign(new PNG({ width: picture.width, height: picture.height }), { data: picture.data });
  return PNG.sync.write(png, isOpaque ? { colorType: 2, inputHasAlpha: true, bgColor: WHITE } : { colorType: 6 });
}
