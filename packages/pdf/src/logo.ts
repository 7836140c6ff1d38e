import { PNG } from "pngjs";

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const SIZE_AT = 16; // width and height follow the first chunk's name
const MAX_PIXELS = 4_000_000; // a small file may unpack to gigabytes

/**
 * The logo in a form that pdfkit embeds as it is: a JPEG, or an opaque PNG. pdfkit unpacks a transparent PNG in the
 * background, where damage would end the process. null = none, or an image that cannot be read.
 */
export function printableLogo(bytes: Uint8Array | null): Buffer | null {
  if (bytes === null) return null;
  const image = Buffer.from(bytes);
  if (image[0] === 0xff && image[1] === 0xd8) return image;
  return image.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE) ? opaquePng(image) : null;
}

function opaquePng(image: Buffer): Buffer | null {
  if (image.length < SIZE_AT + 8) return null;
  if (image.readUInt32BE(SIZE_AT) * image.readUInt32BE(SIZE_AT + 4) > MAX_PIXELS) return null;
  try {
    const white = { red: 255, green: 255, blue: 255 };
    return PNG.sync.write(PNG.sync.read(image), { colorType: 2, inputHasAlpha: true, bgColor: white });
  } catch {
    return null; // damaged
  }
}
