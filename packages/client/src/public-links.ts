import type { PdfQuery } from "./budgets.js";
import type { Call, CallOptions } from "./call.js";
import { type Download, readDownload } from "./download.js";
import { entriesOf } from "./entries.js";
import type {
  Evidence,
  Page,
  PageQuery,
  PublicAnswer,
  PublicBudget,
  PublicMessage,
  PublicPreview,
  Reminders,
  RequestChange,
  SendPublicMessage,
} from "./schemas.js";
import type { Transport } from "./transport.js";

interface ReminderOptions extends CallOptions {
  /** The parameter `mail` of the link in a mail: names its recipient. */
  readonly mail?: string | undefined;
}

/** Access to a budget by the token of its public link. Needs no credential. */
export interface PublicLinks {
  /** The budget as its customer sees it. */
  open(token: string, options?: CallOptions): Call<PublicBudget>;
  /** The budget as an acceptance with this selection would make it; `SELECTION_NOT_OFFERED` for anything else. Stores nothing. */
  preview(token: string, preview: PublicPreview, options?: CallOptions): Call<PublicBudget>;
  /** The evidence of the customer's acceptance, for `verifyEvidence` of `@budgetkit/client/evidence`. */
  evidence(token: string, options?: CallOptions): Call<Evidence>;
  /** The budget as PDF: read or cancel the stream. */
  readPdf(token: string, query?: PdfQuery, options?: CallOptions): Call<Download>;
  /** Whether the customer gets reminders of the business. */
  readReminders(token: string, options?: ReminderOptions): Call<Reminders>;
  /** Ends the reminders of the business to the customer. */
  stopReminders(token: string, options?: ReminderOptions): Call<Reminders>;
  /** Lets the reminders come again that the recipient of the mail has ended; `FORBIDDEN` without its `mail`. */
  resumeReminders(token: string, options?: ReminderOptions): Call<Reminders>;
  /** Accepts a version of the budget; `CONFLICT` if the budget has changed since. */
  accept(token: string, answer: PublicAnswer, options?: CallOptions): Call<PublicBudget>;
  /** Declines a version of the budget; `CONFLICT` if the budget has changed since. */
  decline(token: string, answer: PublicAnswer, options?: CallOptions): Call<PublicBudget>;
  /** Asks for a change; the budget stays pending. `CONFLICT` if the budget has changed since. */
  requestChange(token: string, request: RequestChange, options?: CallOptions): Call<PublicBudget>;
  /** One page of the messages and requests for changes, newest first. */
  listMessages(token: string, query?: PageQuery, options?: CallOptions): Call<Page<PublicMessage>>;
  /** All messages and requests for changes, newest first; fetches the pages on demand. */
  eachMessage(token: string, query?: PageQuery, options?: CallOptions): AsyncGenerator<PublicMessage, void, undefined>;
  /** Sends a message to the business; an offer that was shown can still be accepted. */
  sendMessage(token: string, message: SendPublicMessage, options?: CallOptions): Call<PublicMessage>;
}

export function createPublicLinks({ send, request }: Transport): PublicLinks {
  const listMessages: PublicLinks["listMessages"] = (token, query, options) =>
    send("listPublicMessages", { path: { token }, query }, options);
  return {
    open: (token, options) => send("openPublicLink", { path: { token } }, options),
    preview: (token, body, options) => send("previewPublicBudget", { path: { token }, body }, options),
    evidence: (token, options) => send("openEvidence", { path: { token } }, options),
    readPdf: (token, query, options) => request("openPublicPdf", { path: { token }, query }, options, readDownload),
    readReminders: (token, { mail, ...options } = {}) =>
      send("readReminders", { path: { token }, query: { mail } }, options),
    stopReminders: (token, { mail, ...options } = {}) =>
      send("stopReminders", { path: { token }, query: { mail } }, options),
    resumeReminders: (token, { mail, ...options } = {}) =>
      send("stopReminders", { path: { token }, query: { mail, reminders: "on" } }, options),
    accept: (token, body, options) => send("acceptPublicBudget", { path: { token }, body }, options),
    decline: (token, body, options) => send("declinePublicBudget", { path: { token }, body }, options),
    requestChange: (token, body, options) => send("requestPublicChange", { path: { token }, body }, options),
    listMessages,
    eachMessage: (token, query = {}, options) => entriesOf((page) => listMessages(token, page, options), query),
    sendMessage: (token, body, options) => send("sendPublicMessage", { path: { token }, body }, options),
  };
}
