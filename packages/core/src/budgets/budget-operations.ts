import type { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import { pageQuerySchema } from "../kernel/fields.js";
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

type Options = WriteOptions<BudgetView>;

/**
 * Every budget operation as a host calls it without HTTP. Inputs have the shapes of the request bodies and are checked
 * the same way; answers have the shapes of `data`. The host vouches for the actor: scopes are the HTTP layer's concern.
 */
export function createBudgetOperations(context: BudgetContext, call: Call) {
  return {
    create: (actor: Actor, input: z.input<typeof createBudgetSchema>, options?: Options) =>
      call.with(createBudgetSchema, input, (parsed) => createBudget(context, actor, parsed, options)),
    preview: (actor: Actor, input: z.input<typeof previewBudgetSchema>) =>
      call.with(previewBudgetSchema, input, (parsed) => previewBudget(context, actor, parsed)),
    createPublic: (
      actor: Actor,
      input: z.input<typeof createPublicBudgetSchema>,
      options?: WriteOptions<PublicCreationView>,
    ) => call.with(createPublicBudgetSchema, input, (parsed) => createPublicBudget(context, actor, parsed, options)),
    get: (actor: Actor, id: string) => call.plain(() => getBudget(context, actor, id)),
    list: (actor: Actor, query: Query<typeof listBudgetsSchema> = {}) =>
      call.with(listBudgetsSchema, asQueryText(query), (parsed) => listBudgets(context, actor, parsed)),
    update: (actor: Actor, id: string, input: z.input<typeof updateBudgetSchema>, options?: Options) =>
      call.with(updateBudgetSchema, input, (parsed) => updateBudget(context, actor, id, parsed, options)),
    delete: (actor: Actor, id: string, options?: WriteOptions<DeletionView>) =>
      call.plain(() => deleteBudget(context, actor, id, options)),
    restore: (actor: Actor, id: string, options?: Options) =>
      call.plain(() => restoreBudget(context, actor, id, options)),
    duplicate: (actor: Actor, id: string, options?: Options) =>
      call.plain(() => duplicateBudget(context, actor, id, options)),
    submit: (actor: Actor, id: string, options?: Options) =>
      call.plain(() => submitBudget(context, actor, id, options)),
    withdraw: (actor: Actor, id: string, options?: Options) =>
      call.plain(() => withdrawBudget(context, actor, id, options)),
    reopen: (actor: Actor, id: string, input: z.input<typeof reopenBudgetSchema>, options?: Options) =>
      call.with(reopenBudgetSchema, input, (parsed) => reopenBudget(context, actor, id, parsed, options)),
    complete: (actor: Actor, id: string, options?: Options) =>
      call.plain(() => completeBudget(context, actor, id, options)),
    archive: (actor: Actor, id: string, options?: Options) =>
      call.plain(() => archiveBudget(context, actor, id, options)),
    listRevisions: (actor: Actor, id: string, query: Query<typeof pageQuerySchema> = {}) =>
      call.with(pageQuerySchema, asQueryText(query), (parsed) => listRevisions(context, actor, id, parsed)),
    getRevision: (actor: Actor, id: string, revision: number) =>
      call.plain(() => getRevision(context, actor, id, revision)),
    compareRevisions: (actor: Actor, id: string, revision: number, query: Query<typeof compareRevisionsSchema> = {}) =>
      call.with(compareRevisionsSchema, asQueryText(query), (parsed) =>
        compareRevisions(context, actor, id, revision, parsed),
      ),
    /** Records a payment, once for each reference; the same one again gives the payment that is there. */
    recordPayment: (
      actor: Actor,
      id: string,
      input: z.input<typeof recordPaymentSchema>,
      options?: Omit<WriteOptions<RecordedPayment>, "expectedVersion">,
    ) =>
      call.with(recordPaymentSchema, input, async (parsed) =>
        (await recordPayment(context, actor, id, parsed, options)).map(({ payment }) => payment),
      ),
    listPayments: (actor: Actor, id: string, query: Query<typeof pageQuerySchema> = {}) =>
      call.with(pageQuerySchema, asQueryText(query), (parsed) => listPayments(context, actor, id, parsed)),
    rotatePublicLink: (actor: Actor, id: string, options?: WriteOptions<PublicLinkView>) =>
      call.plain(() => rotatePublicLink(context, actor, id, options)),
    openPublicLink: (token: string) => call.plain(() => openPublicLink(context, token)),
    answerPublicLink: (token: string, answer: Answer, input: z.input<typeof answerSchema>) =>
      call.with(answerSchema, input, (parsed) => answerPublicLink(context, token, answer, parsed)),
  };
}
export type BudgetOperations = ReturnType<typeof createBudgetOperations>;
