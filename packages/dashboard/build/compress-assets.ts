import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(?:js|css|svg|json)$/;

/** Writes each text asset beside itself as Brotli and gzip, so that no server compresses it at run time. */
export function compressAssets(): Plugin {
  return {
    name: "compress-assets",
    writeBundle({ dir }) {
      if (dir === undefined) return;
      const folder = join(dir, "assets");
      for (const name of readdirSync(folder).filter((file) => TEXT.test(file))) {
        const path = join(folder, name);
        const content = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
      }
    },
  };
}
