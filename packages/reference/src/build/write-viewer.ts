import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type CompressedFile, MANIFEST, type Manifest, type ViewerFile } from "../manifest.js";

const DIGEST_IN_NAME = 16;
const JAVASCRIPT = "text/javascript; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";

/** `scripts/build-server.mjs` builds for this machine alone. The best compression takes seconds, for an eighth less. */
const IS_FOR_HERE = process.env.BUILD_FOR_HERE !== undefined;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: IS_FOR_HERE ? 5 : constants.BROTLI_MAX_QUALITY } };

/** Writes the files of the page, plain and compressed, and their manifest to `dist/viewer`. */
export function writeViewer(packageFolder: string): void {
  const folder = join(packageFolder, "dist/viewer");
  mkdirSync(folder, { recursive: true });
  const require = createRequire(join(packageFolder, "package.json"));
  const ofViewer = (name: string) => readFileSync(require.resolve(`swagger-ui-dist/${name}`));
  const ofPage = (name: string) => readFileSync(join(packageFolder, "src/page", name));
  const licenses = Buffer.concat(["NOTICE", "LICENSE", "swagger-ui-bundle.js.LICENSE.txt"].map(ofViewer));
  const manifest: Manifest = {
    viewer: write(folder, "swagger-ui-bundle.js", JAVASCRIPT, ofViewer("swagger-ui-bundle.js")),
    viewerStyle: write(folder, "swagger-ui.css", CSS, ofViewer("swagger-ui.css")),
    start: write(folder, "start.js", JAVASCRIPT, ofPage("start.js")),
    pageStyle: write(folder, "page.css", CSS, ofPage("page.css")),
    licenses: write(folder, "licenses.txt", TEXT, licenses),
  };
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest));
}

function write(folder: string, name: string, contentType: string, content: Buffer): ViewerFile {
  const sha256 = createHash("sha256").update(content).digest("hex");
  const ownName = name.replace(/(?=\.\w+$)/, `.${sha256.slice(0, DIGEST_IN_NAME)}`);
  writeFileSync(join(folder, ownName), content);
  const compressed = [
    { encoding: "br", suffix: ".br", bytes: brotliCompressSync(content, BROTLI) },
    { encoding: "gzip", suffix: ".gz", bytes: gzipSync(content, { level: constants.Z_BEST_COMPRESSION }) },
  ] as const;
  return {
    name: ownName,
    contentType,
    sha256,
    size: content.byteLength,
    compressed: compressed.map(({ encoding, suffix, bytes }): CompressedFile => {
      writeFileSync(join(folder, ownName + suffix), bytes);
      return { encoding, suffix, size: bytes.byteLength };
    }),
  };
}
