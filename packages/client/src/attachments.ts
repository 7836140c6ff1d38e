import type { Call, CallOptions } from "./call.js";
import { type Download, readDownload } from "./download.js";
import { entriesOf } from "./entries.js";
import { formOf } from "./file-form.js";
import type { Operations } from "./operations.js";
import type { Attachment, Page, PageQuery } from "./schemas.js";
import { readData, type Transport } from "./transport.js";

export interface UploadOptions extends CallOptions {
  /** Default: the name of a `File`, else `file`. */
  readonly fileName?: string | undefined;
  /** Default: the type of a `Blob`, else `application/octet-stream`. */
  readonly contentType?: string | undefined;
  /** Whether the customer may download the file on the page of the link. Default: false. */
  readonly shared?: boolean | undefined;
}

/** Files of budgets. Needs an API key. */
export interface Attachments {
  /** Uploads a file. A stream is sent while it is read; browsers need HTTP/2 for that. Never retried. */
  upload(budgetId: string, content: Blob | ReadableStream<Uint8Array>, options?: UploadOptions): Call<Attachment>;
  /** One page, newest first. */
  list(budgetId: string, query?: PageQuery, options?: CallOptions): Call<Page<Attachment>>;
  /** All files of a budget, newest first; fetches the pages on demand. */
  each(budgetId: string, query?: PageQuery, options?: CallOptions): AsyncGenerator<Attachment, void, undefined>;
  /** The file as a stream: read or cancel it. The timeout covers the time until the stream begins. */
  download(budgetId: string, attachmentId: string, options?: CallOptions): Call<Download>;
  /** Lets the customer download the file, or ends that. */
  share(budgetId: string, attachmentId: string, shared: boolean, options?: CallOptions): Call<Attachment>;
  remove(budgetId: string, attachmentId: string, options?: CallOptions): Call<Operations["removeAttachment"]["answer"]>;
}

const UPLOAD_TIMEOUT_MS = 30 * 60 * 1_000;

export function createAttachments({ send, request }: Transport): Attachments {
  const list: Attachments["list"] = (budgetId, query, options) =>
    send("listAttachments", { path: { budgetId }, query }, options);
  return {
    upload: (budgetId, content, options = {}) =>
      request(
        "uploadAttachment",
        {
          path: { budgetId },
          content: formOf(content, options),
          ...(options.shared === undefined ? {} : { query: { shared: options.shared } }),
        },
        { ...options, timeoutMs: options.timeoutMs ?? UPLOAD_TIMEOUT_MS },
        readData<Attachment>,
      ),
    list,
    each: (budgetId, query = {}, options) => entriesOf((page) => list(budgetId, page, options), query),
    download: (budgetId, attachmentId, options) =>
      request("downloadAttachment", { path: { budgetId, attachmentId } }, options, readDownload),
    share: (budgetId, attachmentId, shared, options) =>
      send("shareAttachment", { path: { budgetId, attachmentId }, body: { shared } }, options),
    remove: (budgetId, attachmentId, options) =>
      send("removeAttachment", { path: { budgetId, attachmentId } }, options),
  };
}
