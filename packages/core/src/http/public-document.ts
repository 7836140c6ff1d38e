/** A document that is the same for everybody, as it is sent. */
export interface PublicDocument {
  readonly text: string; // JSON
  readonly etag: string;
}
