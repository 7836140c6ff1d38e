import type { Call, CallOptions, OnceOptions, OnceVersionOptions, VersionOptions } from "./call.js";
import { entriesOf } from "./entries.js";
import type {
  Budget,
  BudgetDeletion,
  BudgetEntry,
  BudgetPreview,
  CompareBudgetRevisionsQuery,
  CreateBudget,
  CreatePublicBudget,
  CursorPage,
  ListBudgetsQuery,
  Page,
  PageQuery,
  Payment,
  PreviewBudget,
  PublicCreation,
  PublicLink,
  RecordPayment,
  ReopenBudget,
  Revision,
  RevisionDifference,
  RevisionEntry,
  UpdateBudget,
} from "./schemas.js";
import type { Transport } from "./transport.js";

/** Budgets, their revisions and their payments. Needs an API key. */
export interface Budgets {
  /** Creates a budget, which waits for an answer unless it is a `draft`. */
  create(input: CreateBudget, options?: OnceOptions): Call<Budget>;
  /** Creates a budget and its public link in one step, in the shape with numeric ids. */
  createPublic(input: CreatePublicBudget, options?: OnceOptions): Call<PublicCreation>;
  /** The figures of a budget, step by step, without creating it. */
  preview(input: PreviewBudget, options?: CallOptions): Call<BudgetPreview>;
  /** One budget with its customer and products. */
  get(id: string, options?: CallOptions): Call<Budget>;
  /** One page, filtered and ordered, newest first unless said. */
  list(query?: ListBudgetsQuery, options?: CallOptions): Call<CursorPage<BudgetEntry>>;
  /** All that fit the query, fetched as they are asked for. */
  each(query?: ListBudgetsQuery, options?: CallOptions): AsyncGenerator<BudgetEntry, void, undefined>;
  /** Changes the fields that are given, the status among them. */
  update(id: string, changes: UpdateBudget, options?: VersionOptions): Call<Budget>;
  /** Deletes a budget softly. */
  delete(id: string, options?: VersionOptions): Call<BudgetDeletion>;
  /** Brings a deleted budget back. */
  restore(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** Makes a draft with the content of another budget. */
  duplicate(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** Sends a draft off to wait for an answer. */
  submit(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** Takes a waiting budget back to draft. */
  withdraw(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** Takes an approval back, with a reason. */
  reopen(id: string, input: ReopenBudget, options?: OnceVersionOptions): Call<Budget>;
  /** Completes an approved budget. */
  complete(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** Archives a completed budget. */
  archive(id: string, options?: OnceVersionOptions): Call<Budget>;
  /** Gives a budget a public link, or a new one in the place of the old. */
  rotatePublicLink(id: string, options?: OnceVersionOptions): Call<PublicLink>;
  /** One page of its revisions, newest first. */
  listRevisions(id: string, query?: PageQuery, options?: CallOptions): Call<Page<RevisionEntry>>;
  /** All of its revisions, newest first, fetched as they are asked for. */
  eachRevision(id: string, query?: PageQuery, options?: CallOptions): AsyncGenerator<RevisionEntry, void, undefined>;
  /** The budget as it was at a revision. */
  getRevision(id: string, revision: number, options?: CallOptions): Call<Revision>;
  /** What changed up to a revision, from the one before unless said. */
  compareRevisions(
    id: string,
    revision: number,
    query?: CompareBudgetRevisionsQuery,
    options?: CallOptions,
  ): Call<RevisionDifference>;
  /** Records a payment towards a budget, once for each reference. */
  recordPayment(id: string, input: RecordPayment, options?: OnceOptions): Call<Payment>;
  /** One page of its payments, newest first. */
  listPayments(id: string, query?: PageQuery, options?: CallOptions): Call<Page<Payment>>;
  /** All of its payments, newest first, fetched as they are asked for. */
  eachPayment(id: string, query?: PageQuery, options?: CallOptions): AsyncGenerator<Payment, void, undefined>;
}

export function createBudgets({ send }: Transport): Budgets {
  const of = (budgetId: string) => ({ path: { budgetId } });
  const list: Budgets["list"] = (query, options) => send("listBudgets", { query }, options);
  const listRevisions: Budgets["listRevisions"] = (id, query, options) =>
    send("listBudgetRevisions", { ...of(id), query }, options);
  const listPayments: Budgets["listPayments"] = (id, query, options) =>
    send("listPayments", { ...of(id), query }, options);
  return {
    create: (body, options) => send("createBudget", { body }, options),
    createPublic: (body, options) => send("createPublicBudget", { body }, options),
    preview: (body, options) => send("previewBudget", { body }, options),
    get: (id, options) => send("getBudget", of(id), options),
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
    rotatePublicLink: (id, options) => send("rotatePublicLink", of(id), options),
    listRevisions,
    eachRevision: (id, query = {}, options) => entriesOf((page) => listRevisions(id, page, options), query),
    getRevision: (budgetId, revision, options) => send("getBudgetRevision", { path: { budgetId, revision } }, options),
    compareRevisions: (budgetId, revision, query, options) =>
      send("compareBudgetRevisions", { path: { budgetId, revision }, query }, options),
    recordPayment: (id, body, options) => send("recordPayment", { ...of(id), body }, options),
    listPayments,
    eachPayment: (id, query = {}, options) => entriesOf((page) => listPayments(id, page, options), query),
  };
}
