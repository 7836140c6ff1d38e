import type { Result } from "neverthrow";
import type { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type CallOptions, type ContextFor, type Query } from "../kernel/call.js";
import { pageQuerySchema } from "../kernel/fields.js";
import type { PageRequest } from "../kernel/page.js";
import type { Problem } from "../kernel/problem.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import {
  type CreateBudget,
  createBudget,
  createBudgetSchema,
  type PreviewBudget,
  previewBudgetSchema,
} from "./create-budget.js";
import { duplicateBudget } from "./duplicate-budget.js";
import { type ExtendBudgets, extendBudgets, extendBudgetsSchema } from "./extend-budgets.js";
import { deleteBudget, restoreBudget } from "./lifecycle/delete-budget.js";
import {
  archiveBudget,
  completeBudget,
  type ReopenBudget,
  reopenBudget,
  reopenBudgetSchema,
  submitBudget,
  withdrawBudget,
} from "./lifecycle/move-budget.js";
import { listPayments, type RecordPayment, recordPayment, recordPaymentSchema } from "./lifecycle/record-payment.js";
import { readReminders, resumeReminders, stopReminders } from "./mailing/opt-out.js";
import { type RemindBudgets, remindBudgets, remindBudgetsSchema } from "./mailing/remind-budgets.js";
import { listMails, type SendBudget, sendBudget, sendBudgetSchema } from "./mailing/send-budget.js";
import { listLinkMessages, listMessages } from "./messages/list-messages.js";
import {
  type SendMessage,
  sendLinkMessage,
  sendLinkMessageSchema,
  sendMessage,
  sendMessageSchema,
} from "./messages/send-message.js";
import { previewBudget } from "./preview-budget.js";
import { getEvidence, openEvidence } from "./proof/read-evidence.js";
import { getBudget, listBudgets, listBudgetsSchema } from "./reading/read-budgets.js";
import { compareRevisions, compareRevisionsSchema, getRevision, listRevisions } from "./revisions/read-revisions.js";
import { answerPublicLink, answerSchema, type PublicAnswer } from "./sharing/answer-public-link.js";
import { previewPublicLink, previewSelectionSchema } from "./sharing/configured-offer.js";
import {
  type CreatePublicBudget,
  createPublicBudget,
  createPublicBudgetSchema,
} from "./sharing/create-public-budget.js";
import { listLinkViews } from "./sharing/list-views.js";
import {
  type CreatePublicLink,
  createPublicLink,
  createPublicLinkSchema,
  readPublicLink,
  removePublicLink,
} from "./sharing/manage-link.js";
import { openPublicLink } from "./sharing/public-link.js";
import { changeRequestSchema, listChangeRequests, requestChange } from "./sharing/request-change.js";
import { type UpdateBudget, updateBudget, updateBudgetSchema } from "./update-budget.js";

type Writing = WriteOptions & CallOptions;
type BulkOptions = Omit<Writing, "expectedVersion">;

/** A write that takes only the id of a budget. */
type WriteById<View> = (
  context: BudgetContext,
  actor: Actor,
  id: string,
  options?: WriteOptions,
) => Promise<Result<View, Problem>>;

interface ReminderOptions extends CallOptions {
  /** The parameter `mail` of the link in a mail, which names its recipient. */
  readonly mailToken?: string | undefined;
}

/** One page of what belongs to a budget. */
type ListById<List> = (
  context: BudgetContext,
  actor: Actor,
  id: string,
  page: PageRequest,
) => Promise<Result<List, Problem>>;

/**
 * The budget operations that a host calls in process. Inputs have the shapes of the request bodies and are checked in the
 * same way; results have the shapes of `data`. The caller is responsible for the actor: only HTTP checks scopes.
 */
export function createBudgetOperations(contextFor: ContextFor<BudgetContext>, call: Call) {
  const byId =
    <View>(write: WriteById<View>) =>
    (actor: Actor, id: string, options?: Writing) =>
      call.plain(actor, () => write(contextFor(options), actor, id, options));
  const listById =
    <List>(list: ListById<List>) =>
    (actor: Actor, id: string, query: Query<typeof pageQuerySchema> = {}, options?: CallOptions) =>
      call.with(actor, pageQuerySchema, asQueryText(query), (parsed) => list(contextFor(options), actor, id, parsed));
  return {
    create: (actor: Actor, input: CreateBudget, options?: Writing) =>
      call.with(actor, createBudgetSchema, input, (parsed) =>
        createBudget(contextFor(options), actor, parsed, options),
      ),
    preview: (actor: Actor, input: PreviewBudget, options?: CallOptions) =>
      call.with(actor, previewBudgetSchema, input, (parsed) => previewBudget(contextFor(options), actor, parsed)),
    createPublic: (actor: Actor, input: CreatePublicBudget, options?: Writing) =>
      call.with(actor, createPublicBudgetSchema, input, (parsed) =>
        createPublicBudget(contextFor(options), actor, parsed, options),
      ),
    get: (actor: Actor, id: string, options?: CallOptions) =>
      call.plain(actor, () => getBudget(contextFor(options), actor, id)),
    list: (actor: Actor, query: Query<typeof listBudgetsSchema> = {}, options?: CallOptions) =>
      call.with(actor, listBudgetsSchema, asQueryText(query), (parsed) =>
        listBudgets(contextFor(options), actor, parsed),
      ),
    update: (actor: Actor, id: string, input: UpdateBudget, options?: Writing) =>
      call.with(actor, updateBudgetSchema, input, (parsed) =>
        updateBudget(contextFor(options), actor, id, parsed, options),
      ),
    delete: byId(deleteBudget),
    restore: byId(restoreBudget),
    duplicate: byId(duplicateBudget),
    submit: byId(submitBudget),
    withdraw: byId(withdrawBudget),
    reopen: (actor: Actor, id: string, input: ReopenBudget, options?: Writing) =>
      call.with(actor, reopenBudgetSchema, input, (parsed) =>
        reopenBudget(contextFor(options), actor, id, parsed, options),
      ),
    complete: byId(completeBudget),
    archive: byId(archiveBudget),
    listLinkViews: listById(listLinkViews),
    /** Sets a later validity of up to a hundred budgets. Each has a result of its own. */
    extend: (actor: Actor, input: ExtendBudgets, options?: BulkOptions) =>
      call.with(actor, extendBudgetsSchema, input, (parsed) =>
        extendBudgets(contextFor(options), actor, parsed, options),
      ),
    listRevisions: listById(listRevisions),
    getRevision: (actor: Actor, id: string, revision: number, options?: CallOptions) =>
      call.plain(actor, () => getRevision(contextFor(options), actor, id, revision)),
    compareRevisions: (
      actor: Actor,
      id: string,
      revision: number,
      query: Query<typeof compareRevisionsSchema> = {},
      options?: CallOptions,
    ) =>
      call.with(actor, compareRevisionsSchema, asQueryText(query), (parsed) =>
        compareRevisions(contextFor(options), actor, id, revision, parsed),
      ),
    /** Records a payment once for each reference. For a repeated payment the result is the recorded one. */
    recordPayment: (actor: Actor, id: string, input: RecordPayment, options?: Omit<Writing, "expectedVersion">) =>
      call.with(actor, recordPaymentSchema, input, async (parsed) =>
        (await recordPayment(contextFor(options), actor, id, parsed, options)).map(({ payment }) => payment),
      ),
    listPayments: listById(listPayments),
    ...createLinkOperations(contextFor, call),
    ...createMailOperations(contextFor, call),
    ...createMessageOperations(contextFor, call),
  };
}
/** The seller's and the customer's side of public links. */
function createLinkOperations(contextFor: ContextFor<BudgetContext>, call: Call) {
  return {
    readPublicLink: (actor: Actor, id: string, options?: CallOptions) =>
      call.plain(actor, () => readPublicLink(contextFor(options), actor, id)),
    /** The link there is, or a new one; `{ rotate: true }` replaces it. */
    createPublicLink: (actor: Actor, id: string, input: CreatePublicLink = {}, options?: Writing) =>
      call.with(actor, createPublicLinkSchema, input, async (parsed) =>
        (await createPublicLink(contextFor(options), actor, id, parsed, options)).map(({ link }) => link),
      ),
    removePublicLink: (actor: Actor, id: string, options?: Writing) =>
      call.plain(actor, () => removePublicLink(contextFor(options), actor, id, options)),
    /** The evidence of the last acceptance; with `revision`, of the acceptance of that revision. */
    getEvidence: (actor: Actor, id: string, query: { readonly revision?: number } = {}, options?: CallOptions) =>
      call.plain(actor, () => getEvidence(contextFor(options), actor, id, query.revision ?? null)),
    openEvidence: (token: string, options?: CallOptions) =>
      call.plain(null, () => openEvidence(contextFor(options), token)),
    openPublicLink: (token: string, options?: CallOptions) =>
      call.plain(null, () => openPublicLink(contextFor(options), token)),
    answerPublicLink: (
      token: string,
      answer: PublicAnswer,
      input: z.input<typeof answerSchema>,
      options?: CallOptions,
    ) => call.with(null, answerSchema, input, (parsed) => answerPublicLink(contextFor(options), token, answer, parsed)),
    /** The offer with what the customer sets of it. Stores nothing; an acceptance takes the same selection. */
    previewPublicLink: (token: string, input: z.input<typeof previewSelectionSchema>, options?: CallOptions) =>
      call.with(null, previewSelectionSchema, input, (parsed) => previewPublicLink(contextFor(options), token, parsed)),
    /** Records what the customer wants changed; the budget stays PENDING. */
    requestChange: (token: string, input: z.input<typeof changeRequestSchema>, options?: CallOptions) =>
      call.with(null, changeRequestSchema, input, (parsed) => requestChange(contextFor(options), token, parsed)),
    /** The customer's requests, newest first. */
    listChangeRequests: (actor: Actor, id: string, options?: CallOptions) =>
      call.plain(actor, () => listChangeRequests(contextFor(options), actor, id)),
  };
}

/** Mails of budgets, and the customer's reminders. */
function createMailOperations(contextFor: ContextFor<BudgetContext>, call: Call) {
  return {
    /** Queues a mail with the link of a budget; a draft becomes pending. */
    send: (actor: Actor, id: string, input: SendBudget = {}, options?: Writing) =>
      call.with(actor, sendBudgetSchema, input, (parsed) =>
        sendBudget(contextFor(options), actor, id, parsed, options),
      ),
    /** Queues a reminder of each of up to a hundred budgets. Each has a result of its own. */
    remind: (actor: Actor, input: RemindBudgets, options?: BulkOptions) =>
      call.with(actor, remindBudgetsSchema, input, (parsed) =>
        remindBudgets(contextFor(options), actor, parsed, options),
      ),
    listMails: (actor: Actor, id: string, query: Query<typeof pageQuerySchema> = {}, options?: CallOptions) =>
      call.with(actor, pageQuerySchema, asQueryText(query), (parsed) =>
        listMails(contextFor(options), actor, id, parsed),
      ),
    readReminders: (token: string, options?: ReminderOptions) =>
      call.plain(null, () => readReminders(contextFor(options), { token, mailToken: options?.mailToken })),
    stopReminders: (token: string, options?: ReminderOptions) =>
      call.plain(null, () => stopReminders(contextFor(options), { token, mailToken: options?.mailToken })),
    /** Lets the reminders come again that the recipient of the mail has ended: forbidden without its `mailToken`. */
    resumeReminders: (token: string, options?: ReminderOptions) =>
      call.plain(null, () => resumeReminders(contextFor(options), { token, mailToken: options?.mailToken })),
  };
}

/** The conversation about a budget, of both sides. */
function createMessageOperations(contextFor: ContextFor<BudgetContext>, call: Call) {
  return {
    /** The messages and the requests for changes, newest first. */
    listMessages: (actor: Actor, id: string, query: Query<typeof pageQuerySchema> = {}, options?: CallOptions) =>
      call.with(actor, pageQuerySchema, asQueryText(query), (parsed) =>
        listMessages(contextFor(options), actor, id, parsed),
      ),
    /** Sends a message to the customer. The budget and its version stay as they are. */
    sendMessage: (actor: Actor, id: string, input: SendMessage, options?: Omit<Writing, "expectedVersion">) =>
      call.with(actor, sendMessageSchema, input, (parsed) =>
        sendMessage(contextFor(options), actor, id, parsed, options),
      ),
    listLinkMessages: (token: string, query: Query<typeof pageQuerySchema> = {}, options?: CallOptions) =>
      call.with(null, pageQuerySchema, asQueryText(query), (parsed) =>
        listLinkMessages(contextFor(options), token, parsed),
      ),
    /** Sends a message of the customer to the business. */
    sendLinkMessage: (token: string, input: z.input<typeof sendLinkMessageSchema>, options?: CallOptions) =>
      call.with(null, sendLinkMessageSchema, input, (parsed) => sendLinkMessage(contextFor(options), token, parsed)),
  };
}

export type BudgetOperations = ReturnType<typeof createBudgetOperations>;
