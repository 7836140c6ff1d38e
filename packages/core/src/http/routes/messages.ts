import { z } from "zod";
import {
  type MessageView,
  messageListSchema,
  messageViewSchema,
  publicMessageListSchema,
  publicMessageSchema,
} from "../../budgets/message-view.js";
import { listLinkMessages, listMessages } from "../../budgets/messages/list-messages.js";
import {
  sendLinkMessage,
  sendLinkMessageSchema,
  sendMessage,
  sendMessageSchema,
} from "../../budgets/messages/send-message.js";
import { openPublicLink } from "../../budgets/sharing/public-link.js";
import { pageQuerySchema } from "../../kernel/fields.js";
import { prefersHtml } from "../headers/negotiation.js";
import { byKey, defineRoute, jsonBody, jsonOrFormBody, nothing, type Route, withoutBody } from "../route.js";
import { BUDGETS, budgetParams } from "./budgets.js";
import { customerPageQuery, pagePath, pageReply, readForm, tokenParams } from "./public-link.js";
import { shownAgain } from "./refused-form.js";

const MESSAGES = `${BUDGETS}/{budgetId}/messages` as const;
const link = {
  paths: ["/p/{token}/messages"],
  surface: "link",
  auth: { kind: "none" },
  params: tokenParams,
} as const;

/** The conversation about a budget, of both sides. */
export const messageRoutes: readonly Route[] = [
  defineRoute({
    ...byKey("READ_BUDGETS"),
    operationId: "listMessages",
    summary: "List the messages and requests for changes of a budget, newest first",
    method: "GET",
    paths: [MESSAGES],
    params: budgetParams,
    query: pageQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: messageListSchema },
    refusals: [404],
    handler: async ({ context, actor, params, query }) =>
      (await listMessages(context.budgets, actor, params.budgetId, query)).map((body) => ({ body })),
  }),
  defineRoute({
    ...byKey("WRITE_BUDGETS"),
    operationId: "sendMessage",
    summary: "Send a message to the customer of a budget",
    method: "POST",
    paths: [MESSAGES],
    params: budgetParams,
    query: nothing,
    body: jsonBody(sendMessageSchema),
    success: { status: 201, schema: z.object({ data: messageViewSchema }) },
    refusals: [404, 409, 422],
    idempotent: true,
    handler: ({ context, actor, params, body, commit }) =>
      commit(
        (data: MessageView) => ({ body: { data } }),
        (options) => sendMessage(context.budgets, actor, params.budgetId, body, options),
      ),
  }),
  defineRoute({
    ...link,
    operationId: "listPublicMessages",
    summary: "List the messages and requests for changes of a public link, newest first",
    method: "GET",
    query: pageQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: publicMessageListSchema },
    refusals: [404],
    handler: async (call) => {
      const { context, params, query, request, now } = call;
      if (prefersHtml(request.accept())) {
        const opened = await openPublicLink(context.budgets, params.token, now);
        return opened.asyncMap((view) => pageReply(view, call, {}));
      }
      return (await listLinkMessages(context.budgets, params.token, query)).map((body) => ({ body }));
    },
  }),
  defineRoute({
    ...link,
    operationId: "sendPublicMessage",
    summary: "Send a message to the business of a public link",
    method: "POST",
    query: customerPageQuery,
    body: jsonOrFormBody(sendLinkMessageSchema, readForm),
    showRefused: shownAgain("messages"),
    success: { status: 201, schema: z.object({ data: publicMessageSchema }) },
    refusals: [404, 422],
    handler: async ({ context, params, query, body, request, now }) => {
      const sender = { origin: request.origin(), limits: context.access.limits };
      const sent = await sendLinkMessage(context.budgets, params.token, body, now, sender);
      return sent.map((data) =>
        prefersHtml(request.accept())
          ? { seeOther: `${pagePath(params.token, { lang: query.lang })}#ask` }
          : { body: { data } },
      );
    },
  }),
];
