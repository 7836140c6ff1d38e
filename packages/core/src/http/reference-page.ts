/**
 * A page that shows the interface to people, and the files that it loads. It is served at `/docs`, for everybody;
 * `referencePage()` of `@budgetkit/reference` is one.
 */
export interface ReferencePage {
  /** HTML. It names its files from where the page is: `docs/viewer.js`. */
  readonly html: string;
  /** What the page may run, load and connect to: the value of its `Content-Security-Policy`. */
  readonly contentSecurityPolicy: string;
  /** By name. A name stands for one content for good: a file that changes gets another name. */
  readonly files: ReadonlyMap<string, ReferenceFile>;
}

export interface ReferenceFile {
  readonly contentType: string;
  readonly sha256: string; // of the content as it is, in hexadecimal
  readonly plain: ReferenceContent;
  readonly compressed: readonly CompressedContent[]; // the one to choose first where a client takes several
}

export interface ReferenceContent {
  readonly size: number; // bytes
  /** The bytes, of which none is read before the first one is asked for. */
  read(): AsyncIterable<Uint8Array>;
}

export interface CompressedContent extends ReferenceContent {
  readonly encoding: "br" | "gzip";
}
