import { err } from "neverthrow";
import { z } from "zod";
import { type MailView, mailListSchema, mailViewSchema } from "../../budgets/mail.js";
import {
  type RemindersView,
  readReminders,
  remindersViewSchema,
  resumeReminders,
  stopReminders,
  wouldStopReminders,
} from "../../budgets/mailing/opt-out.js";
import { listMails, sendBudget, sendBudgetSchema } from "../../budgets/mailing/send-budget.js";
import { pageQuerySchema } from "../../kernel/fields.js";
import { prefersHtml } from "../headers/negotiation.js";
import { refuseLinkRequest } from "../link-limit.js";
import { unsubscribePage } from "../pages/unsubscribe-page.js";
import {
  type BaseCall,
  byKey,
  defineRoute,
  nothing,
  optionalJsonBody,
  type Reply,
  type Route,
  withoutBody,
} from "../route.js";
import { BUDGETS, budgetParams } from "./budgets.js";
import { expectedVersion } from "./expected-version.js";
import { customerPageQuery, pagePath, tokenParams } from "./public-link.js";

const remindersEnvelope = z.object({ data: remindersViewSchema });
const remindersQuery = customerPageQuery.extend({
  mail: z.string().max(300).optional().describe("Of the link in a mail: names its recipient."),
});
const stopRemindersQuery = remindersQuery.extend({
  reminders: z.literal("on").optional().describe("Reminders come again. Default: they end."),
});
const link = {
  paths: ["/p/{token}/unsubscribe"],
  surface: "link",
  auth: { kind: "none" },
  params: tokenParams,
  query: remindersQuery,
  success: { status: 200, schema: remindersEnvelope },
} as const;

function remindersReply(
  view: RemindersView,
  { request }: BaseCall,
  {
    lang = null,
    mail = null,
  }: { readonly lang?: string | null | undefined; readonly mail?: string | null | undefined },
): Reply<z.input<typeof remindersEnvelope>> {
  if (!prefersHtml(request.accept())) return { body: { data: view } };
  return { html: unsubscribePage(view, { asked: lang, accepted: request.acceptLanguage() }, mail) };
}

/** Mails of budgets, and the end of reminders by the link in a mail. */
export const mailRoutes: readonly Route[] = [
  defineRoute({
    ...byKey("WRITE_BUDGETS"),
    operationId: "sendBudget",
    summary: "Send a budget to its customer by mail; a draft becomes pending",
    method: "POST",
    paths: [`${BUDGETS}/{budgetId}/send`],
    params: budgetParams,
    query: nothing,
    body: optionalJsonBody(sendBudgetSchema),
    success: { status: 201, schema: z.object({ data: mailViewSchema }) },
    refusals: [404, 409, 412, 422, 501],
    idempotent: true,
    handler: (call) => {
      const { context, actor, params, body, commit } = call;
      return commit(
        (data: MailView) => ({ body: { data } }),
        async (options) => {
          const expected = await expectedVersion(call, actor, params.budgetId);
          return sendBudget(context.budgets, actor, params.budgetId, body, { ...options, expectedVersion: expected });
        },
      );
    },
  }),
  defineRoute({
    ...byKey("READ_BUDGETS"),
    operationId: "listMails",
    summary: "List the mails of a budget, newest first",
    method: "GET",
    paths: [`${BUDGETS}/{budgetId}/mails`],
    params: budgetParams,
    query: pageQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: mailListSchema },
    refusals: [404],
    handler: async ({ context, actor, params, query }) =>
      (await listMails(context.budgets, actor, params.budgetId, query)).map((body) => ({ body })),
  }),
  defineRoute({
    ...link,
    operationId: "readReminders",
    summary: "Get whether the customer of a public link gets reminders, as JSON or as a page",
    method: "GET",
    body: withoutBody,
    refusals: [404],
    handler: async (call) => {
      const { context, params, query } = call;
      const read = await readReminders(context.budgets, { token: params.token, mailToken: query.mail });
      return read.map((view) => remindersReply(view, call, query));
    },
  }),
  defineRoute({
    ...link,
    operationId: "stopReminders",
    uncounted: true, // a mail program ends them for many customers: the handler refuses only what changes nothing
    summary: "End the reminders to the customer of a public link, by one click (RFC 8058), or let them come again",
    method: "POST",
    query: stopRemindersQuery,
    body: withoutBody, // List-Unsubscribe=One-Click, as a form of either kind: RFC 8058, section 3.2. The token says all
    refusals: [403, 404, 409, 429],
    handler: async ({ context, params, query: { lang, mail, reminders }, request, now }) => {
      const link = { token: params.token, mailToken: mail };
      const clientAddress = request.clientAddress();
      const refusal = await refuseLinkRequest(context, { kind: "reminders", token: params.token, clientAddress, now });
      const isFirstEnd = async () => reminders !== "on" && (await wouldStopReminders(context.budgets, link));
      if (refusal !== null && !(await isFirstEnd())) return err(refusal);
      const changed =
        reminders === "on"
          ? await resumeReminders(context.budgets, link, context.access.limits, now)
          : await stopReminders(context.budgets, link, now);
      const path = `${params.token}/unsubscribe`;
      return changed.map((view) =>
        prefersHtml(request.accept()) ? { seeOther: pagePath(path, { lang, mail }) } : { body: { data: view } },
      );
    },
  }),
];
