import type { Result } from "neverthrow";
import { z } from "zod";
import type { BudgetContext, WriteOptions } from "../../budgets/budget-context.js";
import type { BudgetView } from "../../budgets/budget-view.js";
import { restoreBudget } from "../../budgets/delete-budget.js";
import { duplicateBudget } from "../../budgets/duplicate-budget.js";
import {
  archiveBudget,
  completeBudget,
  reopenBudget,
  reopenBudgetSchema,
  submitBudget,
  withdrawBudget,
} from "../../budgets/move-budget.js";
import { type PublicLinkView, rotatePublicLink } from "../../budgets/public-link.js";
import { publicLinkViewSchema } from "../../budgets/public-link-view-schema.js";
import type { Actor } from "../../kernel/actor.js";
import type { Problem } from "../../kernel/problem.js";
import { defineRoute, jsonBody, noBody, nothing, type Route } from "../route.js";
import { BUDGETS, budgetEnvelope, budgetParams, budgetReply, newBudgetReply } from "./budgets.js";
import { expectedVersion } from "./expected-version.js";

type Act = (
  context: BudgetContext,
  actor: Actor,
  id: string,
  options: WriteOptions<BudgetView>,
) => Promise<Result<BudgetView, Problem>>;

/** An act on one budget: POST, no body, the budget as the answer. */
function actRoute(name: string, summary: string, act: Act): Route {
  return defineRoute({
    operationId: `${name}Budget`,
    summary,
    method: "POST",
    paths: [`${BUDGETS}/{budgetId}/${name}`],
    surface: "public",
    auth: { kind: "key", scope: "WRITE_BUDGETS" },
    params: budgetParams,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: budgetEnvelope, headers: ["etag"] },
    refusals: [404, 409, 412, 422],
    idempotent: true,
    handler: async (call) => {
      const { context, actor, params, commit } = call;
      const expected = await expectedVersion(call, actor, params.budgetId);
      return commit(budgetReply, (options) =>
        act(context.budgets, actor, params.budgetId, { ...options, expectedVersion: expected }),
      );
    },
  });
}

export const budgetActRoutes: readonly Route[] = [
  actRoute("submit", "Send a draft off to wait for an answer", submitBudget),
  actRoute("withdraw", "Take a waiting budget back to draft", withdrawBudget),
  actRoute("complete", "Complete an approved budget", completeBudget),
  actRoute("archive", "Archive a completed budget", archiveBudget),
  actRoute("restore", "Bring a deleted budget back", restoreBudget),
  defineRoute({
    operationId: "reopenBudget",
    summary: "Take an approval back, with a reason",
    method: "POST",
    paths: [`${BUDGETS}/{budgetId}/reopen`],
    surface: "public",
    auth: { kind: "key", scope: "WRITE_BUDGETS" },
    params: budgetParams,
    query: nothing,
    body: jsonBody(reopenBudgetSchema),
    success: { status: 200, schema: budgetEnvelope, headers: ["etag"] },
    refusals: [404, 409, 412, 422],
    idempotent: true,
    handler: async (call) => {
      const { context, actor, params, body, commit } = call;
      const expected = await expectedVersion(call, actor, params.budgetId);
      return commit(budgetReply, (options) =>
        reopenBudget(context.budgets, actor, params.budgetId, body, { ...options, expectedVersion: expected }),
      );
    },
  }),
  defineRoute({
    operationId: "duplicateBudget",
    summary: "Make a draft with the content of another budget",
    method: "POST",
    paths: [`${BUDGETS}/{budgetId}/duplicate`],
    surface: "public",
    auth: { kind: "key", scope: "WRITE_BUDGETS" },
    params: budgetParams,
    query: nothing,
    body: noBody,
    success: { status: 201, schema: budgetEnvelope, headers: ["etag", "location"] },
    refusals: [404, 409, 412, 422],
    idempotent: true,
    handler: async (call) => {
      const { context, actor, params, commit } = call;
      const expected = await expectedVersion(call, actor, params.budgetId);
      return commit(newBudgetReply, (options) =>
        duplicateBudget(context.budgets, actor, params.budgetId, { ...options, expectedVersion: expected }),
      );
    },
  }),
  defineRoute({
    operationId: "rotatePublicLink",
    summary: "Give a budget a public link, or a new one in the place of the old",
    method: "POST",
    paths: [`${BUDGETS}/{budgetId}/public-link`],
    surface: "public",
    auth: { kind: "key", scope: "WRITE_BUDGETS" },
    params: budgetParams,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: z.object({ data: publicLinkViewSchema }) },
    refusals: [404, 409, 412],
    idempotent: true,
    secret: true,
    handler: async (call) => {
      const { context, actor, params, commit } = call;
      const expected = await expectedVersion(call, actor, params.budgetId);
      return commit(
        (data: PublicLinkView) => ({ body: { data } }),
        (options) =>
          rotatePublicLink(context.budgets, actor, params.budgetId, { ...options, expectedVersion: expected }),
      );
    },
  }),
];
