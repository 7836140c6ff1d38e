import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { pnpLoaders } from "./pnp-loaders.js";

const program = new URL("../worker/reduce-picture.mjs", import.meta.url); // beside `src` and beside `dist`

/** Pixels that a logo needs: 300 a inch of its box in the letterhead, and three a pixel of its box on the page. */
const MAX_SIDES = { width: 720, height: 200 };
/** The limits of pixels and scans bound the work to seconds; a slow machine must not change what a document shows. */
const TIMEOUT_MS = 60_000;
/** Nothing bounds the work of drawing an SVG beforehand: masks of masks may take for ever. Others need a part of a second. */
const SVG_TIMEOUT_MS = 15_000;
const HEAP_MB = { store: 256, print: 512 }; // a JPEG of 4,096 by 4,096 pixels needs more than 128
const [PNG_START, JPEG_START] = [0x89, 0xff];
const OUT_OF_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";

/**
 * Decodes a PNG or JPEG, or draws an SVG, in a thread of its own, which ends with it, and reduces it to the size of a logo. For `store` a
 * small file stays as it is; for `print` the result is a new file, opaque and without metadata, which pdfkit embeds
 * without decoding it. (pdfkit unpacks a transparent PNG in the background, where damage would end the process.)
 *
 * Null = damaged, none of these, too large, or an SVG that takes too long. Rejects after a minute.
 */
export async function reducedPicture(
  bytes: Uint8Array,
  use: "store" | "print",
  svgTimeoutMs = SVG_TIMEOUT_MS,
): Promise<Buffer | null> {
  const isDrawn = bytes[0] !== PNG_START && bytes[0] !== JPEG_START;
  const timeoutMs = isDrawn ? svgTimeoutMs : TIMEOUT_MS;
  const worker = new Worker(program, {
    workerData: { bytes, use, ...MAX_SIDES },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB[use] },
    // Other loaders and inspectors of the host are not for this thread.
    execArgv: pnpLoaders(process.execArgv, process.env.NODE_OPTIONS ?? ""),
    env: {},
  });
  try {
    const [reduced]: unknown[] = await once(worker, "message", { signal: AbortSignal.timeout(timeoutMs) });
    return reduced instanceof Uint8Array ? Buffer.from(reduced) : null;
  } catch (error) {
    if (codeOf(error) === OUT_OF_MEMORY || (isDrawn && isTimeout(error))) return null;
    throw error;
  } finally {
    await worker.terminate();
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
