import { z } from "zod";
import type { BudgetView } from "../../budgets/budget-view.js";
import { budgetListSchema, budgetViewSchema } from "../../budgets/budget-view-schema.js";
import { createBudget, createBudgetSchema } from "../../budgets/create-budget.js";
import { type DeletionView, deleteBudget, deletionViewSchema } from "../../budgets/delete-budget.js";
import { getBudget, listBudgets, listBudgetsSchema } from "../../budgets/read-budgets.js";
import { updateBudget, updateBudgetSchema } from "../../budgets/update-budget.js";
import { defineRoute, type JsonReply, jsonBody, noBody, nothing, type Route } from "../route.js";
import { expectedVersion } from "./expected-version.js";

export const budgetParams = z.object({ budgetId: z.string() });
export const budgetEnvelope = z.object({ data: budgetViewSchema });
export const BUDGETS = "/api/public/budgets";

/** The answer that carries one budget. */
export function budgetReply(data: BudgetView): JsonReply<z.input<typeof budgetEnvelope>> {
  return { body: { data }, version: data.version };
}

/** The same for a budget that was just made. */
export function newBudgetReply(data: BudgetView): JsonReply<z.input<typeof budgetEnvelope>> {
  return { ...budgetReply(data), location: `${BUDGETS}/${data.id}` };
}

export const budgetRoutes: readonly Route[] = [
  defineRoute({
    operationId: "listBudgets",
    summary: "List budgets, filtered and ordered",
    method: "GET",
    paths: [BUDGETS],
    surface: "public",
    auth: { kind: "key", scope: "READ_BUDGETS" },
    params: nothing,
    query: listBudgetsSchema,
    body: noBody,
    success: { status: 200, schema: budgetListSchema },
    refusals: [],
    handler: async ({ context, actor, query, now }) =>
      (await listBudgets(context.budgets, actor, query, now)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getBudget",
    summary: "One budget with its customer and products",
    method: "GET",
    paths: [`${BUDGETS}/{budgetId}`],
    surface: "public",
    auth: { kind: "key", scope: "READ_BUDGETS" },
    params: budgetParams,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: budgetEnvelope, headers: ["etag"] },
    refusals: [404],
    handler: async ({ context, actor, params, now }) =>
      (await getBudget(context.budgets, actor, params.budgetId, now)).map(budgetReply),
  }),
  defineRoute({
    operationId: "createBudget",
    summary: "Create a budget",
    method: "POST",
    paths: [BUDGETS],
    surface: "public",
    auth: { kind: "key", scope: "WRITE_BUDGETS" },
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
    surface: "public",
    auth: { kind: "key", scope: "WRITE_BUDGETS" },
    params: budgetParams,
    query: nothing,
    body: jsonBody(updateBudgetSchema),
    success: { status: 200, schema: budgetEnvelope, headers: ["etag"] },
    refusals: [404, 409, 412, 422],
    handler: async (call) => {
      const { context, actor, params, body, commit } = call;
      const expected = await expectedVersion(call, actor, params.budgetId);
      return commit(budgetReply, (options) =>
        updateBudget(context.budgets, actor, params.budgetId, body, { ...options, expectedVersion: expected }),
      );
    },
  }),
  defineRoute({
    operationId: "deleteBudget",
    summary: "Delete a budget softly",
    method: "DELETE",
    paths: [`${BUDGETS}/{budgetId}`],
    surface: "public",
    auth: { kind: "key", scope: "WRITE_BUDGETS" },
    params: budgetParams,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: z.object({ data: deletionViewSchema, message: z.string() }) },
    refusals: [404, 409, 412],
    handler: async (call) => {
      const { context, actor, params, commit } = call;
      const expected = await expectedVersion(call, actor, params.budgetId);
      return commit(
        (data: DeletionView) => ({ body: { data, message: "Budget deleted. It can be restored." } }),
        (options) => deleteBudget(context.budgets, actor, params.budgetId, { ...options, expectedVersion: expected }),
      );
    },
  }),
];
