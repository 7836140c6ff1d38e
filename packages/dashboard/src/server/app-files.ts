import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** A file of the built page. */
export interface AppFile {
  readonly contentType: string;
  readonly etag: string; // without quotes
  readonly plain: FileContent;
  readonly compressed: readonly CompressedFile[]; // the preferred encoding first
}

interface FileContent {
  readonly size: number; // bytes
  read(): AsyncIterable<Uint8Array>;
}

interface CompressedFile extends FileContent {
  readonly encoding: "br" | "gzip";
}

/** The built page: its document, and its files by their path below the mount, such as `assets/index-B2x.js`. */
export interface App {
  readonly document: string;
  readonly files: ReadonlyMap<string, AppFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

const ENCODINGS = [
  { encoding: "br", suffix: ".br" },
  { encoding: "gzip", suffix: ".gz" },
] as const;

const DOCUMENT = "index.html";
const ASSETS = "assets";

/** Reads which files there are, once. A request names one of them or gets 404: no path of a request reaches the disk. */
export async function readApp(folder: string): Promise<App> {
  const names = new Set([
    ...(await namesIn(folder)),
    ...(await namesIn(join(folder, ASSETS))).map((name) => `${ASSETS}/${name}`),
  ]);
  const served = [...names].filter((name) => typeOf(name) !== null);
  const files = await Promise.all(served.map(async (name) => [name, await readAppFile(folder, name, names)] as const));
  return { document: await readFile(join(folder, DOCUMENT), "utf8"), files: new Map(files) };
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function readAppFile(folder: string, name: string, names: ReadonlySet<string>): Promise<AppFile> {
  const compressed = ENCODINGS.filter(({ suffix }) => names.has(name + suffix));
  const content = await readFile(join(folder, name));
  return {
    contentType: typeOf(name) ?? "",
    etag: createHash("sha256").update(content).digest("hex").slice(0, 32),
    plain: contentOf(join(folder, name), content.byteLength),
    compressed: await Promise.all(
      compressed.map(async ({ encoding, suffix }) => {
        const path = join(folder, name + suffix);
        return { encoding, ...contentOf(path, (await stat(path)).size) };
      }),
    ),
  };
}

function contentOf(path: string, size: number): FileContent {
  return {
    size,
    read: async function* () {
      yield* createReadStream(path);
    },
  };
}

/** null = such a file is not served. */
function typeOf(name: string): string | null {
  return TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? null;
}
