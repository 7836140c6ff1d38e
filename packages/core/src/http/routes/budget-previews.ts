import { z } from "zod";
import { previewBudgetSchema } from "../../budgets/create-budget.js";
import { budgetPreviewSchema, previewBudget } from "../../budgets/preview-budget.js";
import { byKey, defineRoute, jsonBody, nothing, type Route } from "../route.js";
import { BUDGETS } from "./budgets.js";

export const budgetPreviewRoutes: readonly Route[] = [
  defineRoute({
    operationId: "previewBudget",
    summary: "Calculate a budget step by step without creating it",
    method: "POST",
    paths: [`${BUDGETS}/preview`],
    ...byKey("WRITE_BUDGETS"),
    params: nothing,
    query: nothing,
    body: jsonBody(previewBudgetSchema),
    success: { status: 200, schema: z.object({ data: budgetPreviewSchema }) },
    refusals: [422],
    handler: async ({ context, actor, body, now }) =>
      (await previewBudget(context.budgets, actor, body, now)).map((data) => ({ body: { data } })),
  }),
];
