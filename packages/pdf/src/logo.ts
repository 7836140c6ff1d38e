import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { PNG } from "pngjs";

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const FIRST_CHUNK = 8;
const SIZE_AT = 16; // width and height follow the first chunk's name
const MAX_PIXELS = 4_000_000; // a small file may unpack to gigabytes
const MAX_PIXEL_BYTES = 8; // four channels of 16 bits

/** To unpack a logo takes up to a second, and the documents of a business have the same one. */
const recent = new Map<string, Buffer | null>();
const MAX_RECENT = 16;

/**
 * The logo in a form that pdfkit embeds as it is: a JPEG, or an opaque PNG. pdfkit unpacks a transparent PNG in the
 * background, where damage would end the process. null = none, or an image that cannot be read.
 */
export function printableLogo(bytes: Uint8Array | null): Buffer | null {
  if (bytes === null) return null;
  const image = Buffer.from(bytes);
  if (image[0] === 0xff && image[1] === 0xd8) return image;
  if (!image.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return null;
  const key = createHash("sha256").update(image).digest("hex");
  const known = recent.get(key);
  const opaque = known === undefined ? opaquePng(image) : known;
  recent.delete(key);
  recent.set(key, opaque); // the one that was used last is the last
  const [oldest] = recent.keys();
  if (recent.size > MAX_RECENT && oldest !== undefined) recent.delete(oldest);
  return opaque;
}

function opaquePng(image: Buffer): Buffer | null {
  if (image.length < SIZE_AT + 8) return null;
  const [width, height] = [image.readUInt32BE(SIZE_AT), image.readUInt32BE(SIZE_AT + 4)];
  if (width * height > MAX_PIXELS) return null;
  try {
    // pngjs unpacks an interlaced image without a limit: this throws beyond the length of the pixels and their filters.
    inflateSync(packedPixels(image), { maxOutputLength: MAX_PIXEL_BYTES * width * height + 16 * (width + height) });
    const white = { red: 255, green: 255, blue: 255 };
    return PNG.sync.write(PNG.sync.read(image), { colorType: 2, inputHasAlpha: true, bgColor: white });
  } catch {
    return null; // damaged
  }
}

/** The contents of all chunks of pixels, each between its length and name, and its checksum. Throws for two headers. */
function packedPixels(image: Buffer): Buffer {
  const packed: Buffer[] = [];
  for (let at = FIRST_CHUNK; at + 8 <= image.length; ) {
    const end = at + 8 + image.readUInt32BE(at);
    const name = image.toString("latin1", at + 4, at + 8);
    if (name === "IDAT") packed.push(image.subarray(at + 8, end));
    // pngjs takes width and height from the last header, and only those of the first are within the limit.
    if (name === "IHDR" && at > FIRST_CHUNK) throw new RangeError("a PNG has one header");
    at = end + 4;
  }
  return Buffer.concat(packed);
}
