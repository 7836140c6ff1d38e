import { z } from "zod";
import {
  changeRequestSchema,
  changeRequestViewSchema,
  listChangeRequests,
  requestChange,
} from "../../budgets/sharing/request-change.js";
import { byKey, defineRoute, jsonOrFormBody, noInput, type Route } from "../route.js";
import { BUDGETS, budgetParams } from "./budgets.js";
import { answerReply, answerRouteParts, readForm } from "./public-link.js";
import { shownAgain } from "./refused-form.js";

/** The customer asks for a change, and the seller reads the requests. */
export const changeRequestRoutes: readonly Route[] = [
  defineRoute({
    ...answerRouteParts,
    operationId: "requestPublicChange",
    summary: "Ask for a change of the budget of a public link",
    paths: ["/p/{token}/request-change"],
    body: jsonOrFormBody(changeRequestSchema, readForm),
    showRefused: shownAgain("request-change"),
    handler: async (call) => {
      const { context, params, body, request, now } = call;
      const changed = await requestChange(context.budgets, params.token, body, now, request.origin());
      return changed.asyncMap((view) => answerReply(view, call));
    },
  }),
  defineRoute({
    operationId: "listChangeRequests",
    summary: "List what the customer asked to change, newest first",
    method: "GET",
    paths: [`${BUDGETS}/{budgetId}/change-requests`],
    ...byKey("READ_BUDGETS"),
    ...noInput,
    params: budgetParams,
    success: { status: 200, schema: z.object({ data: z.array(changeRequestViewSchema) }) },
    refusals: [404],
    handler: async ({ context, actor, params }) =>
      (await listChangeRequests(context.budgets, actor, params.budgetId)).map((data) => ({ body: { data } })),
  }),
];
