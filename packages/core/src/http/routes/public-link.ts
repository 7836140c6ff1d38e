import { z } from "zod";
import {
  answerPublicLink,
  answerSchema,
  openPublicLink,
  type PublicAnswer,
  type PublicBudgetView,
  publicBudgetViewSchema,
} from "../../budgets/sharing/public-link.js";
import { prefersHtml } from "../headers/negotiation.js";
import { budgetPage } from "../pages/budget-page.js";
import { type BaseCall, defineRoute, jsonOrFormBody, type Reply, type Route, withoutBody } from "../route.js";

const tokenParams = z.object({ token: z.string() });
/** The language of the page; programs need none. */
const pageQuery = z.object({ lang: z.string().max(35).optional().describe("The language of the page: en, es or pt.") });
const envelope = z.object({ data: publicBudgetViewSchema });

/** Form fields are text: converts the version to a number and drops empty fields. */
function readForm(fields: Readonly<Record<string, string>>): unknown {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
  const { version } = given;
  return version !== undefined && WHOLE_NUMBER.test(version) ? { ...given, version: Number(version) } : given;
}

const WHOLE_NUMBER = /^\d{1,15}$/;

function reply(
  view: PublicBudgetView,
  { context, request, now }: BaseCall,
  { lang = null }: { readonly lang?: string | null | undefined },
): Reply<z.input<typeof envelope>> {
  if (!prefersHtml(request.accept())) return { body: { data: view }, version: view.version };
  const wishes = { asked: lang, accepted: request.acceptLanguage() };
  return { html: budgetPage(view, wishes, now, context.pdf.renderer !== null) };
}

function pagePath(token: string, lang: string | undefined): string {
  return lang === undefined ? `/p/${token}` : `/p/${token}?lang=${encodeURIComponent(lang)}`;
}

function answerRoute(answer: PublicAnswer, operationId: string, summary: string): Route {
  return defineRoute({
    operationId,
    summary,
    method: "POST",
    paths: [`/p/{token}/${answer}`],
    surface: "link",
    auth: { kind: "none" },
    params: tokenParams,
    query: pageQuery,
    body: jsonOrFormBody(answerSchema, readForm),
    success: { status: 200, schema: envelope, headers: ["etag"] },
    refusals: [404, 409, 422],
    handler: async (call) => {
      const { context, params, query, body, request, now } = call;
      const answered = await answerPublicLink(context.budgets, params.token, answer, body, now, request.origin());
      return answered.map((view) =>
        prefersHtml(request.accept()) ? { seeOther: pagePath(params.token, query.lang) } : reply(view, call, query),
      );
    },
  });
}

export const publicLinkRoutes: readonly Route[] = [
  defineRoute({
    operationId: "openPublicLink",
    summary: "Get the budget of a public link, as JSON or as a page",
    method: "GET",
    paths: ["/p/{token}"],
    surface: "link",
    auth: { kind: "none" },
    params: tokenParams,
    query: pageQuery,
    body: withoutBody,
    success: { status: 200, schema: envelope, headers: ["etag"] },
    refusals: [404],
    handler: async (call) => {
      const { context, params, query, now } = call;
      return (await openPublicLink(context.budgets, params.token, now)).map((view) => reply(view, call, query));
    },
  }),
  answerRoute("accept", "acceptPublicBudget", "Accept the budget of a public link"),
  answerRoute("decline", "declinePublicBudget", "Decline the budget of a public link"),
];
