/** A file that is being downloaded. */
export interface Download {
  readonly stream: ReadableStream<Uint8Array>;
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes; null = unknown, for example behind a proxy that compresses it. */
  readonly size: number | null;
  /** Reads the whole stream into memory. */
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

/** The extended name takes precedence over the plain one. Source: RFC 6266, 4.3. */
function fileNameOf(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]*)/i.exec(disposition)?.[1];
  return extended === undefined
    ? (/filename="([^"]*)"/i.exec(disposition)?.[1] ?? "file")
    : decodeURIComponent(extended);
}
