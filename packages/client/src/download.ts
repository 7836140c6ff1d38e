/** A file on its way. */
export interface Download {
  readonly stream: ReadableStream<Uint8Array>;
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Reads the stream to its end, for files that fit into memory. */
  blob(): Promise<Blob>;
}

export async function readDownload(response: Response): Promise<Download> {
  const { headers } = response;
  const contentType = headers.get("content-type") ?? "";
  return {
    stream: response.body ?? new Blob([]).stream(),
    fileName: fileNameOf(headers.get("content-disposition") ?? ""),
    contentType,
    size: Number(headers.get("content-length")),
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
