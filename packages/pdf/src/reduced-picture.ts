import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { pnpLoaders } from "./pnp-loaders.js";

const program = new URL("../worker/reduce-picture.mjs", import.meta.url); // beside `src` and beside `dist`

/** Pixels that a logo needs: 300 a inch of its box in the letterhead, and three a pixel of its box on the page. */
const MAX_SIDES = { width: 720, height: 200 };
/** The limits of pixels and scans bound the work to seconds; a slow machine must not change what a document shows. */
const TIMEOUT_MS = 60_000;
const HEAP_MB = { store: 256, print: 512 }; // a JPEG of 4,096 by 4,096 pixels needs more than 128
const OUT_OF_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";

/**
 * Decodes a PNG or JPEG in a thread of its own, which ends with it, and reduces it to the size of a logo. For `store` a
 * small file stays as it is; for `print` the result is a new file, opaque and without metadata, which pdfkit embeds
 * without decoding it. (pdfkit unpacks a transparent PNG in the background, where damage would end the process.)
 *
 * Null = damaged, no PNG or JPEG, or too large. Rejects after a minute.
 */
export async function reducedPicture(bytes: Uint8Array, use: "store" | "print"): Promise<Buffer | null> {
  const worker = new Worker(program, {
    workerData: { bytes, use, ...MAX_SIDES },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB[use] },
    // Other loaders and inspectors of the host are not for this thread.
    execArgv: pnpLoaders(process.execArgv, process.env.NODE_OPTIONS ?? ""),
    env: {},
  });
  try {
    const [reduced]: unknown[] = await once(worker, "message", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return reduced instanceof Uint8Array ? Buffer.from(reduced) : null;
  } catch (error) {
    if (codeOf(error) === OUT_OF_MEMORY) return null;
    throw error;
  } finally {
    await worker.terminate();
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
