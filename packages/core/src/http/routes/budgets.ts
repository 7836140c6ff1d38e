import { z } from "zod";
import { type BudgetView, budgetListSchema, budgetViewSchema } from "../../budgets/budget-view.js";
import { createBudget, createBudgetSchema } from "../../budgets/create-budget.js";
import { type DeletionView, deleteBudget, deletionViewSchema } from "../../budgets/lifecycle/delete-budget.js";
import { findBudgetToShow, listBudgets, listBudgetsSchema } from "../../budgets/reading/read-budgets.js";
import { updateBudget, updateBudgetSchema } from "../../budgets/update-budget.js";
import { byKey, defineRoute, type JsonReply, jsonBody, noInput, nothing, type Route, withoutBody } from "../route.js";
import { expectedVersion } from "./expected-version.js";

export const budgetParams = z.object({ budgetId: z.string() });
export const budgetEnvelope = z.object({ data: budgetViewSchema });
export const BUDGETS = "/api/public/budgets";

/** The reply with one budget. */
export function budgetReply(data: BudgetView): JsonReply<z.input<typeof budgetEnvelope>> {
  return { body: { data }, version: data.version };
}

/** The reply with a new budget. */
export function newBudgetReply(data: BudgetView): JsonReply<z.input<typeof budgetEnvelope>> {
  return { ...budgetReply(data), location: `${BUDGETS}/${data.id}` };
}

export const budgetRoutes: readonly Route[] = [
  defineRoute({
    operationId: "listBudgets",
    summary: "List budgets, with filters and sorting",
    method: "GET",
    paths: [BUDGETS],
    ...byKey("READ_BUDGETS"),
    params: nothing,
    query: listBudgetsSchema,
    body: withoutBody,
    success: { status: 200, schema: budgetListSchema },
    refusals: [],
    handler: async ({ context, actor, query, now }) =>
      (await listBudgets(context.budgets, actor, query, now)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getBudget",
    summary: "Get a budget with its customer and products",
    method: "GET",
    paths: [`${BUDGETS}/{budgetId}`],
    ...byKey("READ_BUDGETS"),
    params: budgetParams,
    ...noInput,
    success: { status: 200, schema: budgetEnvelope, headers: ["etag"] },
    refusals: [404],
    handler: async ({ context, actor, params, now }) =>
      (await findBudgetToShow(context.budgets, actor, params.budgetId)).map(({ found, views }) => ({
        content: context.budgetReplies.contentOf(found, actor, now, views),
      })),
  }),
  defineRoute({
    operationId: "createBudget",
    summary: "Create a budget",
    method: "POST",
    paths: [BUDGETS],
    ...byKey("WRITE_BUDGETS"),
    params: nothing,
    query: nothing,
    body: jsonBody(createBudgetSchema),
    success: { status: 201, schema: budgetEnvelope, headers: ["etag", "location"] },
    refusals: [422],
    idempotent: true,
    handler: ({ context, actor, body, commit }) =>
      commit(newBudgetReply, (options) => createBudget(context.budgets, actor, body, options)),
  }),
  defineRoute({
    operationId: "updateBudget",
    summary: "Change a budget's content, its status, or both",
    method: "PUT",
    paths: [`${BUDGETS}/{budgetId}`],
    ...byKey("WRITE_BUDGETS"),
    params: budgetParams,
    query: nothing,
    body: jsonBody(updateBudgetSchema),
    success: { status: 200, schema: budgetEnvelope, headers: ["etag"] },
    refusals: [404, 409, 412, 422],
    handler: (call) => {
      const { context, actor, params, body, commit } = call;
      return commit(budgetReply, async (options) => {
        const expected = await expectedVersion(call, actor, params.budgetId);
        return updateBudget(context.budgets, actor, params.budgetId, body, { ...options, expectedVersion: expected });
      });
    },
  }),
  defineRoute({
    operationId: "deleteBudget",
    summary: "Delete a budget; it can be restored",
    method: "DELETE",
    paths: [`${BUDGETS}/{budgetId}`],
    ...byKey("WRITE_BUDGETS"),
    params: budgetParams,
    ...noInput,
    success: { status: 200, schema: z.object({ data: deletionViewSchema, message: z.string() }) },
    refusals: [404, 409, 412],
    handler: (call) => {
      const { context, actor, params, commit } = call;
      return commit(
        (data: DeletionView) => ({ body: { data, message: "Budget deleted. It can be restored." } }),
        async (options) => {
          const expected = await expectedVersion(call, actor, params.budgetId);
          return deleteBudget(context.budgets, actor, params.budgetId, { ...options, expectedVersion: expected });
        },
      );
    },
  }),
];
