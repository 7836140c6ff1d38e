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
  /** Media type of the content. */
  readonly contentType: string;
  /** Of the uncompressed content, in hexadecimal. */
  readonly sha256: string;
  /** The content without compression. */
  readonly plain: ReferenceContent;
  /** The preferred encoding first. */
  readonly compressed: readonly CompressedContent[];
}

export interface ReferenceContent {
  /** Bytes. */
  readonly size: number;
  /** Streams the bytes. Nothing is read before the iteration begins. */
  read(): AsyncIterable<Uint8Array>;
}

export interface CompressedContent extends ReferenceContent {
  /** The compression, as in `Content-Encoding`. */
  readonly encoding: "br" | "gzip";
}
