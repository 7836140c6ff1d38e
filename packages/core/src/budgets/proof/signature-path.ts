import { z } from "zod";

const NUMBER = String.raw`-?\d{1,5}(?:\.\d{1,4})?`;
const POINT = `${NUMBER}[ ,]${NUMBER}`;
const STEP = `[ML] ?${POINT}|Q ?${POINT}[ ,]${POINT}|C ?${POINT}[ ,]${POINT}[ ,]${POINT}|Z`;
const PATH = new RegExp(`^M ?${POINT}(?: ?(?:${STEP}))*$`);

export const MAX_SIGNATURE_LENGTH = 8_192;

/**
 * A drawn signature, as the data of an SVG path. It has moves, lines, curves and closings with plain numbers, and each
 * command is written out. So it is harmless wherever it is shown.
 */
export const signaturePath = z
  .string()
  .max(MAX_SIGNATURE_LENGTH)
  .refine((path) => path.length > MAX_SIGNATURE_LENGTH || PATH.test(path), {
    message: "must be an SVG path of the commands M, L, C, Q and Z, such as M10 20 L30 40",
    params: { code: "INVALID_FORMAT" },
  });
