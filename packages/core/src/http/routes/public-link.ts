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
import { budgetPage } from "../pages/public-page.js";
import { defineRoute, jsonOrFormBody, noInput, nothing, type Reply, type Route } from "../route.js";

const tokenParams = z.object({ token: z.string() });
const envelope = z.object({ data: publicBudgetViewSchema });

/** Form fields are text: converts the version to a number and drops empty fields. */
function readForm(fields: Readonly<Record<string, string>>): unknown {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
  const { version } = given;
  return version !== undefined && WHOLE_NUMBER.test(version) ? { ...given, version: Number(version) } : given;
}

const WHOLE_NUMBER = /^\d{1,15}$/;

function reply(view: PublicBudgetView, accept: string | null): Reply<z.input<typeof envelope>> {
  return prefersHtml(accept) ? { html: budgetPage(view) } : { body: { data: view }, version: view.version };
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
    query: nothing,
    body: jsonOrFormBody(answerSchema, readForm),
    success: { status: 200, schema: envelope, headers: ["etag"] },
    refusals: [404, 409, 422],
    handler: async ({ context, params, body, request, now }) =>
      (await answerPublicLink(context.budgets, params.token, answer, body, now, request.origin())).map((view) =>
        prefersHtml(request.accept()) ? { seeOther: `/p/${params.token}` } : reply(view, request.accept()),
      ),
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
    ...noInput,
    success: { status: 200, schema: envelope, headers: ["etag"] },
    refusals: [404],
    handler: async ({ context, params, request, now }) =>
      (await openPublicLink(context.budgets, params.token, now)).map((view) => reply(view, request.accept())),
  }),
  answerRoute("accept", "acceptPublicBudget", "Accept the budget of a public link"),
  answerRoute("decline", "declinePublicBudget", "Decline the budget of a public link"),
];
