import { z } from "zod";

const MAX_SIGNATURE = 8 * 1024;
const NUMBER = "-?\\d{1,4}(?:\\.\\d{1,2})?";
const numbers = (count: number) => ` ${NUMBER}`.repeat(count);
const STEP = `(?:[ML]${numbers(2)}|Q${numbers(4)}|C${numbers(6)})`;
const PATH = new RegExp(`^M${numbers(2)}(?: ${STEP})*$`);

/** A drawn signature: the path of an SVG of 600 by 200, of absolute moves, lines and curves alone. */
export const signature = z
  .string()
  .max(MAX_SIGNATURE)
  .regex(PATH, "must be an SVG path of M, L, Q and C with numbers, such as M 10 20 L 30 40")
  .describe("A drawn signature: the path of an SVG of 600 by 200, such as `M 10 20 L 30 40`.");
