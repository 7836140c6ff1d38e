import { err, ok, type Result } from "neverthrow";
import { type LogoType, MAX_LOGO_BYTES } from "../access/business.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { LOGO_WINDOW, logoSubject } from "../limits/upload-quota.js";
import type { AttachmentContext } from "./attachment-context.js";

/** A small file may unpack to a huge image. */
const MAX_SIDE = 4_096;
const MAX_PIXELS = 4_000_000;

const DAMAGED = "the image is damaged";

/** An image that is safe to show. */
export interface LogoImage {
  readonly contentType: LogoType;
  readonly bytes: Uint8Array;
}

/** Checks and reduces an image, and counts it. Errors: rate-limited; LOGO_NOT_SUPPORTED; unavailable. */
export async function storableLogo(
  context: AttachmentContext,
  businessId: string,
  id: string,
  bytes: Uint8Array,
): Promise<Result<LogoImage, Problem>> {
  const refusal = await countLogo(context, businessId, id);
  if (refusal !== null) return err(refusal);
  const image = await readLogo(bytes);
  if (image.isErr()) return image;
  if (image.value.contentType === "image/svg+xml") return drawableSvg(context, businessId, image.value);
  const reduced = await context.reduceLogo(businessId, bytes);
  if (reduced.isErr()) return err(reduced.error);
  return reduced.value === null ? err(notSupported(DAMAGED)) : ok({ ...image.value, bytes: reduced.value });
}

/** The SVG, which a renderer of PDFs that takes SVG must be able to draw. It is stored as it is: pages show it. */
async function drawableSvg(
  { drawsSvg, reduceLogo }: AttachmentContext,
  businessId: string,
  image: LogoImage,
): Promise<Result<LogoImage, Problem>> {
  if (!drawsSvg) return ok(image);
  const drawn = await reduceLogo(businessId, image.bytes);
  if (drawn.isErr()) return err(drawn.error);
  return drawn.value === null ? err(notSupported("the SVG cannot be drawn, or takes too long")) : ok(image);
}

/** Refused images count too: they may cost as much work. null = counted. */
async function countLogo({ store, clock }: AttachmentContext, businessId: string, id: string): Promise<Problem | null> {
  const hold = { id, needed: 1, wanted: 1 };
  const { held, fitsAt } = await store.holdUpload(logoSubject(businessId), hold, LOGO_WINDOW, clock.now());
  if (held !== null) return null;
  const { limit } = LOGO_WINDOW;
  const message = `A business may set its logo ${limit} times an hour. Try again later.`;
  return { kind: "rate-limited", limit, remaining: 0, resetAtMs: fitsAt, message };
}

/**
 * Recognises PNG and JPEG by their first bytes, and checks their size in pixels; anything else must be an SVG, which is
 * written again from the elements and attributes that are known to be safe. Errors: LOGO_NOT_SUPPORTED.
 */
async function readLogo(bytes: Uint8Array): Promise<Result<LogoImage, Problem>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, PNG)) return checkSides("image/png", bytes, pngSides(view));
  if (startsWith(bytes, JPEG)) return checkSides("image/jpeg", bytes, jpegSides(view));
  const { safeSvg } = await import("./safe-svg.js");
  return (await safeSvg(bytes))
    .map((text) => ({ contentType: "image/svg+xml" as const, bytes: Buffer.from(text) }))
    .mapErr(notSupported);
}

function notSupported(reason: string): Problem {
  const message = `The logo must be a PNG, a JPEG or an SVG of at most ${MAX_LOGO_BYTES} bytes: ${reason}.`;
  return brokenRule("LOGO_NOT_SUPPORTED", message, { reason });
}

type Sides = readonly [width: number, height: number];

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function checkSides(contentType: LogoType, bytes: Uint8Array, sides: Sides | null): Result<LogoImage, Problem> {
  if (sides === null) return err(notSupported(DAMAGED));
  if (!sides.every((side) => side >= 1 && side <= MAX_SIDE)) {
    return err(notSupported(`a side has more than ${MAX_SIDE} pixels, or none`));
  }
  const [width, height] = sides;
  if (width * height > MAX_PIXELS) return err(notSupported(`it has more than ${MAX_PIXELS / 1e6} million pixels`));
  return ok({ contentType, bytes });
}

const IHDR = 0x49484452;

/** The first chunk must be IHDR. Source: PNG specification, section 11.2.1. */
function pngSides(view: DataView): Sides | null {
  if (view.byteLength < 33 || view.getUint32(12) !== IHDR) return null;
  return [view.getUint32(16), view.getUint32(20)];
}

/** The frame header, SOF0 to SOF15 without DHT, JPG and DAC. Source: ITU-T T.81, B.2.2. */
function jpegSides(view: DataView): Sides | null {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}
