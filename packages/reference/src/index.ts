import { createReadStream, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ReferenceContent, ReferenceFile, ReferencePage } from "@budgetkit/core";
import { MANIFEST, type Manifest, VIEWER_FOLDER, type ViewerFile } from "./manifest.js";
import { pageOf, policyOf } from "./page.js";

const folder = new URL(VIEWER_FOLDER, import.meta.url);

/**
 * The page at `/docs` that documents the interface and tries its operations, with a pasted key or login:
 * `createBudgetService({ …, reference: referencePage() })`. It loads nothing from other hosts.
 */
export function referencePage(): ReferencePage {
  const manifest: Manifest = JSON.parse(readFileSync(new URL(MANIFEST, folder), "utf8"));
  const files = Object.values<ViewerFile>({ ...manifest });
  return {
    html: pageOf(manifest),
    contentSecurityPolicy: policyOf(manifest),
    files: new Map(files.map((file) => [file.name, servedFile(file)])),
  };
}

function servedFile({ name, contentType, sha256, size, compressed }: ViewerFile): ReferenceFile {
  return {
    contentType,
    sha256,
    plain: contentOf(name, size),
    compressed: compressed.map(({ encoding, suffix, size }) => ({ encoding, ...contentOf(name + suffix, size) })),
  };
}

function contentOf(name: string, size: number): ReferenceContent {
  const path = fileURLToPath(new URL(name, folder));
  return {
    size,
    read: async function* () {
      yield* createReadStream(path);
    },
  };
}
