/** A file on its way. */
export interface Download {
  readonly stream: ReadableStream<Uint8Array>;
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes; null = not known, as when a proxy compresses it on the way. */
  readonly size: number | null;
  /** Reads the stream to its end, for files that fit into memory. */
  blob(): Promise<Blob>;
}

export async function readDownload(response: Response): Promise<Download> {
  const { headers } = response;
  const contentType = headers.get("content-type") ?? "";
  const size = headers.get("content-length");
  return {
    stream: response.body ?? new Blob([]).stream(),
    fileName: fileNameOf(headers.get("content-disposition") ?? ""),
    contentType,
    size: size === null ? null : Number(size),
    blob: () => response.blob(),
  };
}

/** Source: RFC 6266, 4.3: the extended name comes before the plain one. */
function fileNameOf(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]*)/i.exec(disposition)?.[1];
  return extended === undefined
    ? (/filename="([^"]*)"/i.exec(disposition)?.[1] ?? "file")
    : decodeURIComponent(extended);
}
