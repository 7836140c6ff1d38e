import { z } from "zod";
import {
  listPayments,
  type RecordedPayment,
  recordPayment,
  recordPaymentSchema,
} from "../../budgets/lifecycle/record-payment.js";
import { paymentListSchema, paymentViewSchema } from "../../budgets/payment.js";
import { pageQuerySchema } from "../../kernel/fields.js";
import { byKey, defineRoute, jsonBody, nothing, type Route, withoutBody } from "../route.js";
import { BUDGETS, budgetParams } from "./budgets.js";

const PAYMENTS = `${BUDGETS}/{budgetId}/payments` as const;

export const paymentRoutes: readonly Route[] = [
  defineRoute({
    operationId: "listPayments",
    summary: "List the payments of a budget, newest first",
    method: "GET",
    paths: [PAYMENTS],
    ...byKey("READ_BUDGETS"),
    params: budgetParams,
    query: pageQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: paymentListSchema },
    refusals: [404],
    handler: async ({ context, actor, params, query }) =>
      (await listPayments(context.budgets, actor, params.budgetId, query)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "recordPayment",
    summary: "Record a payment towards a budget, once per reference",
    method: "POST",
    paths: [PAYMENTS],
    ...byKey("WRITE_BUDGETS"),
    params: budgetParams,
    query: nothing,
    body: jsonBody(recordPaymentSchema),
    success: { status: 201, again: 200, schema: z.object({ data: paymentViewSchema }) },
    refusals: [404, 409, 422],
    idempotent: true,
    handler: ({ context, actor, params, body, commit }) =>
      commit(
        ({ payment, isNew }: RecordedPayment) => ({ body: { data: payment }, isAgain: !isNew }),
        (options) => recordPayment(context.budgets, actor, params.budgetId, body, options),
      ),
  }),
];
