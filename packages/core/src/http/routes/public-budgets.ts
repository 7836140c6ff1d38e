import {
  createPublicBudget,
  createPublicBudgetSchema,
  type PublicCreationView,
  publicCreationViewSchema,
} from "../../budgets/create-public-budget.js";
import { defineRoute, jsonBody, nothing, type Route } from "../route.js";
import { BUDGETS } from "./budgets.js";

export const publicBudgetRoutes: readonly Route[] = [
  defineRoute({
    operationId: "createPublicBudget",
    summary: "Create a budget that anyone with its link can read and answer",
    method: "POST",
    paths: ["/api/budgets/public", "/budgets/public", "/api/public/budgets/public"],
    surface: "public",
    auth: { kind: "key", scope: "WRITE_BUDGETS" },
    params: nothing,
    query: nothing,
    body: jsonBody(createPublicBudgetSchema),
    success: { status: 201, schema: publicCreationViewSchema, headers: ["etag", "location"] },
    refusals: [422],
    idempotent: true,
    secret: true,
    handler: ({ context, actor, body, commit }) =>
      commit(
        (view: PublicCreationView) => ({ body: view, version: 1, location: `${BUDGETS}/${view.budgetId}` }),
        (options) => createPublicBudget(context.budgets, actor, body, options),
      ),
  }),
];
