import type { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import { pageQuerySchema } from "../kernel/fields.js";
import type { CallOptions, ContextFor } from "../kernel/host-connection.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import type { BudgetView } from "./budget-view.js";
import { createBudget, createBudgetSchema, previewBudgetSchema } from "./create-budget.js";
import { createPublicBudget, createPublicBudgetSchema, type PublicCreationView } from "./create-public-budget.js";
import { type DeletionView, deleteBudget, restoreBudget } from "./delete-budget.js";
import { duplicateBudget } from "./duplicate-budget.js";
import {
  archiveBudget,
  completeBudget,
  reopenBudget,
  reopenBudgetSchema,
  submitBudget,
  withdrawBudget,
} from "./move-budget.js";
import { previewBudget } from "./preview-budget.js";
import {
  type Answer,
  answerPublicLink,
  answerSchema,
  openPublicLink,
  type PublicLinkView,
  rotatePublicLink,
} from "./public-link.js";
import { getBudget, listBudgets, listBudgetsSchema } from "./read-budgets.js";
import { compareRevisions, compareRevisionsSchema, getRevision, listRevisions } from "./read-revisions.js";
import { listPayments, type RecordedPayment, recordPayment, recordPaymentSchema } from "./record-payment.js";
import { updateBudget, updateBudgetSchema } from "./update-budget.js";

type Writing<View> = WriteOptions<View> & CallOptions;
type Options = Writing<BudgetView>;

/**
 * Every budget operation as a host calls it without HTTP. Inputs have the shapes of the request bodies and are checked
 * the same way; answers have the shapes of `data`. The host vouches for the actor: scopes are the HTTP layer's concern.
 */
export function createBudgetOperations(contextFor: ContextFor<BudgetContext>, call: Call) {
  return {
    create: (actor: Actor, input: z.input<typeof createBudgetSchema>, options?: Options) =>
      call.with(actor, createBudgetSchema, input, (parsed) =>
        createBudget(contextFor(options), actor, parsed, options),
      ),
    preview: (actor: Actor, input: z.input<typeof previewBudgetSchema>, options?: CallOptions) =>
      call.with(actor, previewBudgetSchema, input, (parsed) => previewBudget(contextFor(options), actor, parsed)),
    createPublic: (
      actor: Actor,
      input: z.input<typeof createPublicBudgetSchema>,
      options?: Writing<PublicCreationView>,
    ) =>
      call.with(actor, createPublicBudgetSchema, input, (parsed) =>
        createPublicBudget(contextFor(options), actor, parsed, options),
      ),
    get: (actor: Actor, id: string, options?: CallOptions) =>
      call.plain(actor, () => getBudget(contextFor(options), actor, id)),
    list: (actor: Actor, query: Query<typeof listBudgetsSchema> = {}, options?: CallOptions) =>
      call.with(actor, listBudgetsSchema, asQueryText(query), (parsed) =>
        listBudgets(contextFor(options), actor, parsed),
      ),
    update: (actor: Actor, id: string, input: z.input<typeof updateBudgetSchema>, options?: Options) =>
      call.with(actor, updateBudgetSchema, input, (parsed) =>
        updateBudget(contextFor(options), actor, id, parsed, options),
      ),
    delete: (actor: Actor, id: string, options?: Writing<DeletionView>) =>
      call.plain(actor, () => deleteBudget(contextFor(options), actor, id, options)),
    restore: (actor: Actor, id: string, options?: Options) =>
      call.plain(actor, () => restoreBudget(contextFor(options), actor, id, options)),
    duplicate: (actor: Actor, id: string, options?: Options) =>
      call.plain(actor, () => duplicateBudget(contextFor(options), actor, id, options)),
    submit: (actor: Actor, id: string, options?: Options) =>
      call.plain(actor, () => submitBudget(contextFor(options), actor, id, options)),
    withdraw: (actor: Actor, id: string, options?: Options) =>
      call.plain(actor, () => withdrawBudget(contextFor(options), actor, id, options)),
    reopen: (actor: Actor, id: string, input: z.input<typeof reopenBudgetSchema>, options?: Options) =>
      call.with(actor, reopenBudgetSchema, input, (parsed) =>
        reopenBudget(contextFor(options), actor, id, parsed, options),
      ),
    complete: (actor: Actor, id: string, options?: Options) =>
      call.plain(actor, () => completeBudget(contextFor(options), actor, id, options)),
    archive: (actor: Actor, id: string, options?: Options) =>
      call.plain(actor, () => archiveBudget(contextFor(options), actor, id, options)),
    listRevisions: (actor: Actor, id: string, query: Query<typeof pageQuerySchema> = {}, options?: CallOptions) =>
      call.with(actor, pageQuerySchema, asQueryText(query), (parsed) =>
        listRevisions(contextFor(options), actor, id, parsed),
      ),
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
    /** Records a payment, once for each reference; the same one again gives the payment that is there. */
    recordPayment: (
      actor: Actor,
      id: string,
      input: z.input<typeof recordPaymentSchema>,
      options?: Omit<Writing<RecordedPayment>, "expectedVersion">,
    ) =>
      call.with(actor, recordPaymentSchema, input, async (parsed) =>
        (await recordPayment(contextFor(options), actor, id, parsed, options)).map(({ payment }) => payment),
      ),
    listPayments: (actor: Actor, id: string, query: Query<typeof pageQuerySchema> = {}, options?: CallOptions) =>
      call.with(actor, pageQuerySchema, asQueryText(query), (parsed) =>
        listPayments(contextFor(options), actor, id, parsed),
      ),
    rotatePublicLink: (actor: Actor, id: string, options?: Writing<PublicLinkView>) =>
      call.plain(actor, () => rotatePublicLink(contextFor(options), actor, id, options)),
    openPublicLink: (token: string, options?: CallOptions) =>
      call.plain(null, () => openPublicLink(contextFor(options), token)),
    answerPublicLink: (token: string, answer: Answer, input: z.input<typeof answerSchema>, options?: CallOptions) =>
      call.with(null, answerSchema, input, (parsed) => answerPublicLink(contextFor(options), token, answer, parsed)),
  };
}
export type BudgetOperations = ReturnType<typeof createBudgetOperations>;
