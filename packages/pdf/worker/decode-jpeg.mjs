// @ts-check
import jpeg from "jpeg-js";
import { turned } from "./shrink.mjs";

const MAX_MEMORY_MB = 512; // enough for the largest picture of four channels
/** Encoders write about ten. A scan of a few bytes costs as much work as one of the whole picture. */
const MAX_SCANS = 64;

/**
 * The upright picture. Throws for a file that is damaged, or has too many pixels or scans.
 * @param {Buffer} file
 * @param {number} maxPixels
 * @returns {import("./shrink.mjs").Picture}
 */
export function decodeJpeg(file, maxPixels) {
  let scans = 0;
  for (let at = 0; at + 1 < file.length; at += 1) if (file[at] === 0xff && file[at + 1] === 0xda) scans += 1;
  if (scans > MAX_SCANS) throw new RangeError("too many scans");
  const limits = { maxResolutionInMP: maxPixels / 1e6, maxMemoryUsageInMB: MAX_MEMORY_MB };
  return turned(jpeg.decode(file, { ...limits, useTArray: true }), orientationOf(file));
}

const APP1 = 0xe1;
const START_OF_SCAN = 0xda;
const ORIENTATION = 0x0112;
const ENTRY_BYTES = 12;

/**
 * 1 to 8, by which cameras note how they were held; 1 = upright. Source: Exif 2.3, 4.6.4.
 * @param {Buffer} file
 */
function orientationOf(file) {
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff && file[at + 1] !== START_OF_SCAN; ) {
    const end = at + 2 + file.readUInt16BE(at + 2);
    const isExif = file[at + 1] === APP1 && file.toString("latin1", at + 4, at + 10) === "Exif\0\0";
    if (isExif) return orientationIn(file.subarray(at + 10, end));
    at = end;
  }
  return 1;
}

/** @param {Buffer} tiff */
function orientationIn(tiff) {
  if (tiff.length < 10) return 1;
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  /** @param {number} at */
  const short = (at) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  const end = Math.min(tiff.length, directory + 2 + ENTRY_BYTES * short(directory));
  for (let entry = directory + 2; entry + ENTRY_BYTES <= end; entry += ENTRY_BYTES) {
    if (short(entry) === ORIENTATION) return short(entry + 8);
  }
  return 1;
}
