import {
  createPublicBudget,
  createPublicBudgetSchema,
  type PublicCreationView,
  publicCreationViewSchema,
} from "../../budgets/sharing/create-public-budget.js";
import { byKey, defineRoute, jsonBody, nothing, type Route } from "../route.js";
import { BUDGETS } from "./budgets.js";

export const publicBudgetRoutes: readonly Route[] = [
  defineRoute({
    operationId: "createPublicBudget",
    summary: "Create a budget with a public link",
    method: "POST",
    paths: ["/api/budgets/public", "/budgets/public", "/api/public/budgets/public"],
    ...byKey("WRITE_BUDGETS"),
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
