import { type BudgetResults, budgetResultsSchema } from "../../budgets/each-budget.js";
import { extendBudgets, extendBudgetsSchema } from "../../budgets/extend-budgets.js";
import { remindBudgets, remindBudgetsSchema } from "../../budgets/mailing/remind-budgets.js";
import { byKey, defineRoute, jsonBody, nothing, type Route } from "../route.js";
import { BUDGETS } from "./budgets.js";

const inBulk = {
  ...byKey("WRITE_BUDGETS"),
  method: "POST",
  params: nothing,
  query: nothing,
  success: { status: 200, schema: budgetResultsSchema },
  idempotent: true,
} as const;

const reply = (body: BudgetResults) => ({ body });

/** Acts on up to a hundred budgets. Each budget has a result of its own. */
export const bulkActRoutes: readonly Route[] = [
  defineRoute({
    ...inBulk,
    operationId: "remindBudgets",
    summary: "Mail a reminder of each budget to its customer now",
    paths: [`${BUDGETS}/remind`],
    body: jsonBody(remindBudgetsSchema),
    refusals: [409, 501],
    handler: ({ context, actor, body, commit }) =>
      commit(reply, (options) => remindBudgets(context.budgets, actor, body, options)),
  }),
  defineRoute({
    ...inBulk,
    operationId: "extendBudgets",
    summary: "Set a later validity of pending and expired budgets",
    paths: [`${BUDGETS}/extend`],
    body: jsonBody(extendBudgetsSchema),
    refusals: [409, 422],
    handler: ({ context, actor, body, commit }) =>
      commit(reply, (options) => extendBudgets(context.budgets, actor, body, options)),
  }),
];
