import type { Download } from "./body/download.js";
import type { StaticContent } from "./body/static-content.js";
import type { PublicDocument } from "./http-context.js";
import type { HtmlPage } from "./pages/html.js";

/** The result of a handler; `render-reply.ts` makes the response from it. */
export type Reply<Body> = JsonReply<Body> | PageReply | SeeOtherReply | DownloadReply | DocumentReply | ContentReply;

export interface JsonReply<Body> {
  readonly body: Body;
  readonly version?: number; // becomes the ETag
  /** Path of the new resource from the root of the interface: `/api/public/budgets/1042`. */
  readonly location?: string;
  /** True when the resource existed already: the response has the status `again` of the route. */
  readonly isAgain?: boolean;
}

interface PageReply {
  readonly html: HtmlPage;
  readonly status?: 400 | 409 | 422; // default 200
}

/** Redirects a browser after a form (303), so that a reload does not repeat the write. */
interface SeeOtherReply {
  readonly seeOther: string; // path from the root of the interface
}

interface DocumentReply {
  readonly document: PublicDocument;
}

interface ContentReply {
  readonly content: StaticContent;
}

interface DownloadReply {
  readonly download: Download;
}
