import type { Result } from "neverthrow";
import type { BudgetContext, WriteOptions } from "../../budgets/budget-context.js";
import type { BudgetView } from "../../budgets/budget-view.js";
import { duplicateBudget } from "../../budgets/duplicate-budget.js";
import { restoreBudget } from "../../budgets/lifecycle/delete-budget.js";
import {
  archiveBudget,
  completeBudget,
  reopenBudget,
  reopenBudgetSchema,
  submitBudget,
  withdrawBudget,
} from "../../budgets/lifecycle/move-budget.js";
import type { Actor } from "../../kernel/actor.js";
import type { Problem } from "../../kernel/problem.js";
import { byKey, defineRoute, jsonBody, noInput, nothing, type Route } from "../route.js";
import { BUDGETS, budgetEnvelope, budgetParams, budgetReply, newBudgetReply } from "./budgets.js";
import { expectedVersion } from "./expected-version.js";

type Act = (
  context: BudgetContext,
  actor: Actor,
  id: string,
  options: WriteOptions,
) => Promise<Result<BudgetView, Problem>>;

/** A POST without a body that moves one budget and returns it. */
function actRoute(name: string, summary: string, act: Act): Route {
  return defineRoute({
    operationId: `${name}Budget`,
    summary,
    method: "POST",
    paths: [`${BUDGETS}/{budgetId}/${name}`],
    ...byKey("WRITE_BUDGETS"),
    params: budgetParams,
    ...noInput,
    success: { status: 200, schema: budgetEnvelope, headers: ["etag"] },
    refusals: [404, 409, 412, 422],
    idempotent: true,
    handler: (call) => {
      const { context, actor, params, commit } = call;
      return commit(budgetReply, async (options) => {
        const expected = await expectedVersion(call, actor, params.budgetId);
        return act(context.budgets, actor, params.budgetId, { ...options, expectedVersion: expected });
      });
    },
  });
}

export const budgetActRoutes: readonly Route[] = [
  actRoute("submit", "Submit a draft: it becomes pending", submitBudget),
  actRoute("withdraw", "Withdraw a pending budget: it becomes a draft", withdrawBudget),
  actRoute("complete", "Complete an approved budget", completeBudget),
  actRoute("archive", "Archive a completed budget", archiveBudget),
  actRoute("restore", "Restore a deleted budget", restoreBudget),
  defineRoute({
    operationId: "reopenBudget",
    summary: "Reopen an approved budget, with a reason",
    method: "POST",
    paths: [`${BUDGETS}/{budgetId}/reopen`],
    ...byKey("WRITE_BUDGETS"),
    params: budgetParams,
    query: nothing,
    body: jsonBody(reopenBudgetSchema),
    success: { status: 200, schema: budgetEnvelope, headers: ["etag"] },
    refusals: [404, 409, 412, 422],
    idempotent: true,
    handler: (call) => {
      const { context, actor, params, body, commit } = call;
      return commit(budgetReply, async (options) => {
        const expected = await expectedVersion(call, actor, params.budgetId);
        return reopenBudget(context.budgets, actor, params.budgetId, body, { ...options, expectedVersion: expected });
      });
    },
  }),
  defineRoute({
    operationId: "duplicateBudget",
    summary: "Copy a budget to a new draft",
    method: "POST",
    paths: [`${BUDGETS}/{budgetId}/duplicate`],
    ...byKey("WRITE_BUDGETS"),
    params: budgetParams,
    ...noInput,
    success: { status: 201, schema: budgetEnvelope, headers: ["etag", "location"] },
    refusals: [404, 409, 412, 422],
    idempotent: true,
    handler: (call) => {
      const { context, actor, params, commit } = call;
      return commit(newBudgetReply, async (options) => {
        const expected = await expectedVersion(call, actor, params.budgetId);
        return duplicateBudget(context.budgets, actor, params.budgetId, { ...options, expectedVersion: expected });
      });
    },
  }),
];
