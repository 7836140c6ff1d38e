// @ts-check
import { inflateSync } from "node:zlib";
import { PNG } from "pngjs";

const FIRST_CHUNK = 8;
const SIZE_AT = 16; // width and height follow the first chunk's name
export const MAX_PIXELS = 4_000_000; // a small file may unpack to gigabytes
const MAX_PIXEL_BYTES = 8; // four channels of 16 bits

/**
 * Throws for a file that is damaged, is no PNG, or has too many pixels.
 * @param {Buffer} file
 * @returns {import("./shrink.mjs").Picture}
 */
export function decodePng(file) {
  const [width, height] = [file.readUInt32BE(SIZE_AT), file.readUInt32BE(SIZE_AT + 4)];
  if (width * height > MAX_PIXELS) throw new RangeError("too many pixels");
  // pngjs unpacks an interlaced image without a limit: this throws beyond the length of the pixels and their filters.
  inflateSync(packedPixels(file), { maxOutputLength: MAX_PIXEL_BYTES * width * height + 16 * (width + height) });
  return PNG.sync.read(file);
}

/**
 * The contents of all chunks of pixels, each between its length and name, and its checksum. Throws for two headers.
 * @param {Buffer} file
 */
function packedPixels(file) {
  const packed = [];
  for (let at = FIRST_CHUNK; at + 8 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    const name = file.toString("latin1", at + 4, at + 8);
    if (name === "IDAT") packed.push(file.subarray(at + 8, end));
    // pngjs takes width and height from the last header, and only those of the first are within the limit.
    if (name === "IHDR" && at > FIRST_CHUNK) throw new RangeError("a PNG has one header");
    at = end + 4;
  }
  return Buffer.concat(packed);
}
