import type { Call, CallOptions, OnceOptions, OnceVersionOptions, VersionOptions } from "./call.js";
import { type Download, readDownload } from "./download.js";
import { entriesOf } from "./entries.js";
import type { Operations } from "./operations.js";
import type {
  Budget,
  BudgetDeletion,
  BudgetEntry,
  BudgetPreview,
  BudgetResults,
  CompareBudgetRevisionsQuery,
  CreateBudget,
  CreatePublicBudget,
  CreatePublicLink,
  CursorPage,
  Evidence,
  ExtendBudgets,
  LinkView,
  ListBudgetsQuery,
  Mail,
  Message,
  Page,
  PageQuery,
  Payment,
  PreviewBudget,
  PreviewDocument,
  PreviewDocumentQuery,
  PublicCreation,
  PublicLink,
  RecordPayment,
  RemindBudgets,
  ReopenBudget,
  Revision,
  RevisionDifference,
  RevisionEntry,
  SendBudget,
  SendMessage,
  UpdateBudget,
} from "./schemas.js";
import { jsonOf, type Transport } from "./transport.js";

/** Budgets, their revisions and their payments. Needs an API key. */
export interface Budgets {
  /** Creates a budget: pending, or a draft with `draft: true`. */
  create(input: CreateBudget, options?: OnceOptions): Call<Budget>;
  /** Creates a budget and its public link in one step, in the shape with numeric ids. */
  createPublic(input: CreatePublicBudget, options?: OnceOptions): Call<PublicCreation>;
  /** Calculates a budget step by step without creating it. */
  preview(input: PreviewBudget, options?: CallOptions): Call<BudgetPreview>;
  /** The page, mail or PDF that the customer would get of the content, which is not saved: read or cancel the stream. */
  previewDocument(input: PreviewDocument, query?: PreviewDocumentQuery, options?: CallOptions): Call<Download>;
  /** One budget with its customer and products. */
  get(id: string, options?: CallOptions): Call<Budget>;
  /** The budget as PDF, as its customer sees it: read or cancel the stream. */
  readPdf(id: string, query?: PdfQuery, options?: CallOptions): Call<Download>;
  /** One page, with filters and sorting. Default order: newest first. */
  list(query?: ListBudgetsQuery, options?: CallOptions): Call<CursorPage<BudgetEntry>>;
  /** All matches; fetches the pages on demand. */
  each(query?: ListBudgetsQuery, options?: CallOptions): AsyncGenerator<BudgetEntry, void, undefined>;
  /** Changes the given fields, `status` included. */
  update(id: string, changes: UpdateBudget, options?: VersionOptions): Call<Budget>;
  /** Deletes a budget; it can be restored. */
  delete(id: string, options?: VersionOptions): Call<BudgetDeletion>;
  /** Restores a deleted budget. */
  restore(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** Copies a budget to a new draft. */
  duplicate(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** Submits a draft: it becomes pending. */
  submit(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** Withdraws a pending budget: it becomes a draft. */
  withdraw(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** Reopens an approved budget, with a reason. */
  reopen(id: string, input: ReopenBudget, options?: OnceVersionOptions): Call<Budget>;
  /** Completes an approved budget. */
  complete(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** Archives a completed budget. */
  archive(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** The public link of a budget. */
  readPublicLink(id: string, options?: CallOptions): Call<PublicLink>;
  /** The public link of a budget, made if there is none; `{ rotate: true }` replaces it. */
  createPublicLink(id: string, input?: CreatePublicLink, options?: OnceVersionOptions): Call<PublicLink>;
  /** Ends the public link of a budget. */
  removePublicLink(id: string, options?: OnceVersionOptions): Call<Operations["removePublicLink"]["answer"]>;
  /** The evidence of the last acceptance, or of that of a revision, for `verifyEvidence` of `@budgetkit/client/evidence`. */
  evidence(id: string, query?: Operations["getEvidence"]["input"]["query"], options?: CallOptions): Call<Evidence>;
  /** What the customer asked to change, newest first. */
  listChangeRequests(id: string, options?: CallOptions): Call<Operations["listChangeRequests"]["answer"]>;
  /** One page of the revisions, newest first. */
  listRevisions(id: string, query?: PageQuery, options?: CallOptions): Call<Page<RevisionEntry>>;
  /** All revisions, newest first; fetches the pages on demand. */
  eachRevision(id: string, query?: PageQuery, options?: CallOptions): AsyncGenerator<RevisionEntry, void, undefined>;
  /** The budget as it was at a revision. */
  getRevision(id: string, revision: number, options?: CallOptions): Call<Revision>;
  /** The changes between two revisions. Default: from the previous revision. */
  compareRevisions(
    id: string,
    revision: number,
    query?: CompareBudgetRevisionsQuery,
    options?: CallOptions,
  ): Call<RevisionDifference>;
  /** Queues a mail with the link of a budget to its customer; a draft becomes pending. */
  send(id: string, input?: SendBudget, options?: OnceVersionOptions): Call<Mail>;
  /** Mails a reminder of each of up to a hundred budgets now. Each has a result of its own. */
  remind(input: RemindBudgets, options?: OnceOptions): Call<BudgetResults>;
  /** Sets a later validity of up to a hundred pending or expired budgets. Each has a result of its own. */
  extend(input: ExtendBudgets, options?: OnceOptions): Call<BudgetResults>;
  /** One page of the mails, newest first. */
  listMails(id: string, query?: PageQuery, options?: CallOptions): Call<Page<Mail>>;
  /** All mails, newest first; fetches the pages on demand. */
  eachMail(id: string, query?: PageQuery, options?: CallOptions): AsyncGenerator<Mail, void, undefined>;
  /** One page of the messages and requests for changes, newest first. */
  listMessages(id: string, query?: PageQuery, options?: CallOptions): Call<Page<Message>>;
  /** All messages and requests for changes, newest first; fetches the pages on demand. */
  eachMessage(id: string, query?: PageQuery, options?: CallOptions): AsyncGenerator<Message, void, undefined>;
  /** One page of the newest views of its link, at most 100 in all, newest first. */
  listViews(id: string, query?: PageQuery, options?: CallOptions): Call<Page<LinkView>>;
  /** The newest views of its link, newest first; fetches the pages on demand. */
  eachView(id: string, query?: PageQuery, options?: CallOptions): AsyncGenerator<LinkView, void, undefined>;
  /** Sends a message to the customer; the budget stays as it is. */
  sendMessage(id: string, input: SendMessage, options?: OnceOptions): Call<Message>;
  /** Records a payment towards a budget, once per reference. */
  recordPayment(id: string, input: RecordPayment, options?: OnceOptions): Call<Payment>;
  /** One page of the payments, newest first. */
  listPayments(id: string, query?: PageQuery, options?: CallOptions): Call<Page<Payment>>;
  /** All payments, newest first; fetches the pages on demand. */
  eachPayment(id: string, query?: PageQuery, options?: CallOptions): AsyncGenerator<Payment, void, undefined>;
}

/** The language of a PDF: `en`, `es` or `pt`. Default: that of the business. */
export type PdfQuery = NonNullable<Operations["readBudgetPdf"]["input"]["query"]>;

export function createBudgets({ send, request }: Transport): Budgets {
  const of = (budgetId: string) => ({ path: { budgetId } });
  const list: Budgets["list"] = (query, options) => send("listBudgets", { query }, options);
  const listRevisions: Budgets["listRevisions"] = (id, query, options) =>
    send("listBudgetRevisions", { ...of(id), query }, options);
  const listPayments: Budgets["listPayments"] = (id, query, options) =>
    send("listPayments", { ...of(id), query }, options);
  const listMails: Budgets["listMails"] = (id, query, options) => send("listMails", { ...of(id), query }, options);
  const listMessages: Budgets["listMessages"] = (id, query, options) =>
    send("listMessages", { ...of(id), query }, options);
  const listViews: Budgets["listViews"] = (id, query, options) => send("listLinkViews", { ...of(id), query }, options);
  return {
    create: (body, options) => send("createBudget", { body }, options),
    createPublic: (body, options) => send("createPublicBudget", { body }, options),
    preview: (body, options) => send("previewBudget", { body }, options),
    previewDocument: (body, query, options) =>
      request("previewDocument", { query, content: jsonOf(body) }, options, readDownload),
    get: (id, options) => send("getBudget", of(id), options),
    readPdf: (id, query, options) => request("readBudgetPdf", { ...of(id), query }, options, readDownload),
    list,
    each: (query = {}, options) => entriesOf((page) => list(page, options), query),
    update: (id, body, options) => send("updateBudget", { ...of(id), body }, options),
    delete: (id, options) => send("deleteBudget", of(id), options),
    restore: (id, options) => send("restoreBudget", of(id), options),
    duplicate: (id, options) => send("duplicateBudget", of(id), options),
    submit: (id, options) => send("submitBudget", of(id), options),
    withdraw: (id, options) => send("withdrawBudget", of(id), options),
    reopen: (id, body, options) => send("reopenBudget", { ...of(id), body }, options),
    complete: (id, options) => send("completeBudget", of(id), options),
    archive: (id, options) => send("archiveBudget", of(id), options),
    readPublicLink: (id, options) => send("readPublicLink", of(id), options),
    createPublicLink: (id, body = {}, options) => send("createPublicLink", { ...of(id), body }, options),
    removePublicLink: (id, options) => send("removePublicLink", of(id), options),
    evidence: (id, query, options) => send("getEvidence", { ...of(id), query }, options),
    listChangeRequests: (id, options) => send("listChangeRequests", of(id), options),
    listRevisions,
    eachRevision: (id, query = {}, options) => entriesOf((page) => listRevisions(id, page, options), query),
    getRevision: (budgetId, revision, options) => send("getBudgetRevision", { path: { budgetId, revision } }, options),
    compareRevisions: (budgetId, revision, query, options) =>
      send("compareBudgetRevisions", { path: { budgetId, revision }, query }, options),
    send: (id, body = {}, options) => send("sendBudget", { ...of(id), body }, options),
    remind: (body, options) => send("remindBudgets", { body }, options),
    extend: (body, options) => send("extendBudgets", { body }, options),
    listMails,
    eachMail: (id, query = {}, options) => entriesOf((page) => listMails(id, page, options), query),
    listMessages,
    eachMessage: (id, query = {}, options) => entriesOf((page) => listMessages(id, page, options), query),
    listViews,
    eachView: (id, query = {}, options) => entriesOf((page) => listViews(id, page, options), query),
    sendMessage: (id, body, options) => send("sendMessage", { ...of(id), body }, options),
    recordPayment: (id, body, options) => send("recordPayment", { ...of(id), body }, options),
    listPayments,
    eachPayment: (id, query = {}, options) => entriesOf((page) => listPayments(id, page, options), query),
  };
}
