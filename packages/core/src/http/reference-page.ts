/**
 * A page that documents the interface, and the files that it loads. It is served at `/docs` without a credential.
 * `referencePage()` of `@budgetkit/reference` makes one.
 */
export interface ReferencePage {
  /** HTML. Its links to files are relative to the page: `docs/viewer.js`. */
  readonly html: string;
  /** The value of its `Content-Security-Policy` header. */
  readonly contentSecurityPolicy: string;
  /** By name. Clients cache a name forever, so changed content needs a new name. */
  readonly files: ReadonlyMap<string, ReferenceFile>;
}

export interface ReferenceFile {
  readonly contentType: string;
  readonly sha256: string; // of the uncompressed content, in hexadecimal
  readonly plain: ReferenceContent;
  readonly compressed: readonly CompressedContent[]; // the preferred encoding first
}

export interface ReferenceContent {
  readonly size: number; // bytes
  /** Streams the bytes. Nothing is read before the iteration begins. */
  read(): AsyncIterable<Uint8Array>;
}

export interface CompressedContent extends ReferenceContent {
  readonly encoding: "br" | "gzip";
}
