import { z } from "zod";
import { budgetPreviewSchema } from "../../budgets/budget-preview-view-schema.js";
import { previewBudgetSchema } from "../../budgets/create-budget.js";
import { previewBudget } from "../../budgets/preview-budget.js";
import { defineRoute, jsonBody, nothing, type Route } from "../route.js";
import { BUDGETS } from "./budgets.js";

export const budgetPreviewRoutes: readonly Route[] = [
  defineRoute({
    operationId: "previewBudget",
    summary: "The figures of a budget, step by step, without creating it",
    method: "POST",
    paths: [`${BUDGETS}/preview`],
    surface: "public",
    auth: { kind: "key", scope: "WRITE_BUDGETS" },
    params: nothing,
    query: nothing,
    body: jsonBody(previewBudgetSchema),
    success: { status: 200, schema: z.object({ data: budgetPreviewSchema }) },
    refusals: [422],
    handler: async ({ context, actor, body, now }) =>
      (await previewBudget(context.budgets, actor, body, now)).map((data) => ({ body: { data } })),
  }),
];
