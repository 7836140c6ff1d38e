import { z } from "zod";
import { type PublicBudgetView, publicBudgetViewSchema } from "../../budgets/offer/public-view.js";
import { evidenceSchema } from "../../budgets/proof/evidence.js";
import { openEvidence } from "../../budgets/proof/read-evidence.js";
import { answerPublicLink, answerSchema, type PublicAnswer } from "../../budgets/sharing/answer-public-link.js";
import {
  openWithSelection,
  previewPublicLink,
  previewSelectionSchema,
} from "../../budgets/sharing/configured-offer.js";
import { openPublicLink } from "../../budgets/sharing/public-link.js";
import type { BusinessRule, Problem } from "../../kernel/problem.js";
import { prefersHtml, weightOf } from "../headers/negotiation.js";
import { consentIn } from "../pages/consent.js";
import { publicPage } from "../pages/own-page.js";
import type { RefusedForm } from "../pages/page-content.js";
import { PAGE_LANGUAGES } from "../pages/page-language.js";
import { type FormFields, selectionIn } from "../pages/selection-form.js";
import { type BaseCall, defineRoute, jsonOrFormBody, noInput, type Reply, type Route, withoutBody } from "../route.js";
import { shownAgain } from "./refused-form.js";

export const tokenParams = z.object({ token: z.string() });
/** The language of the page; programs need none. */
export const customerPageQuery = z.object({
  lang: z
    .string()
    .max(35)
    .optional()
    .describe(`The language of the page: ${PAGE_LANGUAGES.join(", ")}.`),
  c: z.string().max(100).optional().describe("How the link was sent, for the count of views: mail, sms, whatsapp, qr."),
});
const envelope = z.object({ data: publicBudgetViewSchema });

/** Form fields are text: converts the version to a number and drops empty fields, except for a name, which is required. */
export function readForm(fields: FormFields): Readonly<Record<string, unknown>> {
  const given = Object.fromEntries(Object.entries(fields).filter(([field, value]) => value !== "" || field === "name"));
  const { version } = given;
  return version !== undefined && WHOLE_NUMBER.test(version) ? { ...given, version: Number(version) } : given;
}

/** The form of an acceptance, in which the controls of lines make the selection. */
function readAcceptance(fields: FormFields): Readonly<Record<string, unknown>> {
  const { selection, others } = selectionIn(fields);
  const { total } = others;
  return {
    ...readForm(others),
    ...(selection.length === 0 ? {} : { selection }),
    ...(total !== undefined && AMOUNT.test(total) ? { total: Number(total) } : {}),
  };
}

function readPreview(fields: FormFields): Readonly<Record<string, unknown>> {
  return { selection: selectionIn(fields).selection };
}

const AMOUNT = /^\d{1,16}(?:\.\d{1,4})?$/;

const WHOLE_NUMBER = /^\d{1,15}$/;

interface PageQuery {
  readonly lang?: string | null | undefined;
  readonly c?: string | null | undefined;
}

async function reply(
  view: PublicBudgetView,
  call: BaseCall,
  query: PageQuery,
): Promise<Reply<z.input<typeof envelope>>> {
  if (!prefersHtml(call.request.accept())) return { body: { data: view }, version: view.version };
  return pageReply(view, call, query);
}

/** The page of a link. */
export async function pageReply(
  view: PublicBudgetView,
  { context, request, now }: BaseCall,
  { lang = null, c = null }: PageQuery,
  refusal: AnswerRefusal | null = null,
  refused: RefusedForm | null = null,
): Promise<Reply<never>> {
  const wishes = { asked: lang, accepted: request.acceptLanguage() };
  const [hasChanged, isRecalculated] = [refusal?.kind === "changed", refusal?.kind === "recalculated"];
  const openChoices = refusal?.kind === "incomplete" ? refusal.keys : [];
  const hasPdf = context.pdf.renderer !== null;
  const isNotOffered = refusal?.kind === "refused";
  const shows = { hasPdf, hasChanged, isRecalculated, isNotOffered, openChoices, channel: c, refused };
  const html = await publicPage(view, wishes, now, shows, context.publicPage);
  if (refusal === null) return { html };
  return { html, status: hasChanged || isRecalculated ? 409 : 422 };
}

/** Why an answer was not taken, as the page says it. */
type AnswerRefusal =
  | { readonly kind: "changed" } // the offer is no longer the one that was shown
  | { readonly kind: "recalculated" } // the selection comes to another total than the one that was shown
  | { readonly kind: "incomplete"; readonly keys: readonly string[] } // choices lack a selection
  | { readonly kind: "refused" }; // the selection is not offered

export function pagePath(token: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return query.length === 0 ? `/p/${token}` : `/p/${token}?${query.join("&")}`;
}

/** The parts that the routes of answers share. */
export const answerRouteParts = {
  method: "POST",
  surface: "link",
  auth: { kind: "none" },
  params: tokenParams,
  query: customerPageQuery,
  success: { status: 200, schema: envelope, headers: ["etag"] },
  refusals: [404, 409, 422],
} as const;

type AnswerCall = BaseCall & {
  readonly params: { readonly token: string };
  readonly query: z.output<typeof customerPageQuery>;
};

/** Browsers go back to the page, so that a reload does not repeat the answer. */
export async function answerReply(view: PublicBudgetView, call: AnswerCall): Promise<Reply<z.input<typeof envelope>>> {
  const { params, query, request } = call;
  return prefersHtml(request.accept())
    ? { seeOther: pagePath(params.token, { lang: query.lang }) }
    : reply(view, call, query);
}

/** The form of an offer of 500 lines, with a few fields for each and a drawn signature. */
const CHOICES = { bytes: 96 * 1024, fields: 2_000 } as const;

function answerRoute(answer: PublicAnswer, operationId: string, summary: string): Route {
  return defineRoute({
    operationId,
    summary,
    ...answerRouteParts,
    paths: [`/p/{token}/${answer}`],
    ...(answer === "accept"
      ? { bodyLimitBytes: CHOICES.bytes, body: jsonOrFormBody(answerSchema, readAcceptance, CHOICES.fields) }
      : { body: jsonOrFormBody(answerSchema, readForm) }),
    showRefused: shownAgain(answer),
    handler: async (call) => {
      const { context, params, query, body, request, now } = call;
      const sender = {
        origin: request.origin(),
        address: request.clientAddress(),
        userAgent: request.userAgent(),
        consentOf: consentIn(body.language, context.publicPage.words),
      };
      const answered = await answerPublicLink(context.budgets, params.token, answer, body, now, sender);
      const refusal = answered.isErr() && prefersHtml(request.accept()) ? refusalOf(answered.error) : null;
      if (refusal === null) return answered.asyncMap((view) => answerReply(view, call));
      const shown = await openWithSelection(context.budgets, params.token, body.selection ?? [], now);
      const { name, reason } = body;
      const entered = { action: answer, field: null, values: reason == null ? { name } : { name, reason } } as const;
      return shown.asyncMap((view) => pageReply(view, call, query, refusal, entered));
    },
  });
}

/** What the page shows again, with the choices kept; null = any other problem, which has a page of its own. */
function refusalOf(problem: Problem): AnswerRefusal | null {
  if (problem.kind === "conflict") return { kind: problem.details.total === undefined ? "changed" : "recalculated" };
  if (problem.kind !== "rule") return null;
  const { rule, details } = problem;
  if (rule === "CHOICE_INCOMPLETE")
    return { kind: "incomplete", keys: Array.isArray(details.keys) ? details.keys : [] };
  return SELECTION_RULES.has(rule) ? { kind: "refused" } : null;
}

const SELECTION_RULES: ReadonlySet<BusinessRule> = new Set([
  "SELECTION_NOT_OFFERED",
  "TOO_MANY_RECURRENCES",
  "CHOICE_EXCEEDED",
  "AMOUNT_TOO_LARGE",
  "DISCOUNT_EXCEEDS_ITEM",
  "DISCOUNT_EXCEEDS_SUBTOTAL",
  "WITHHOLDING_EXCEEDS_TOTAL",
  "PAYMENT_EXCEEDS_TOTAL",
]);

/** Programs that show the offer name JSON. Previews and scanners of links do not; an image counts the views of pages. */
function isReadByProgram(request: BaseCall["request"]): boolean {
  const accept = request.accept() ?? "";
  return request.isDisplayed() && !prefersHtml(accept) && weightOf(accept, "application/json") > 0;
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
    query: customerPageQuery,
    body: withoutBody,
    success: { status: 200, schema: envelope, headers: ["etag"] },
    refusals: [404],
    handler: async (call) => {
      const { context, params, query, request, now } = call;
      const opened = await openPublicLink(context.budgets, params.token, now);
      if (opened.isOk() && isReadByProgram(request)) {
        const viewed = { token: params.token, channel: query.c ?? null, userAgent: request.userAgent(), now };
        void context.countView(viewed); // never rejects; the answer does not wait for it
      }
      return opened.asyncMap((view) => reply(view, call, query));
    },
  }),
  defineRoute({
    operationId: "openEvidence",
    summary: "Get the evidence of the customer's acceptance",
    method: "GET",
    paths: ["/p/{token}/evidence.json"],
    surface: "link",
    auth: { kind: "none" },
    params: tokenParams,
    ...noInput,
    success: { status: 200, schema: evidenceSchema },
    refusals: [404],
    handler: async ({ context, params }) =>
      (await openEvidence(context.budgets, params.token)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "previewPublicBudget",
    summary: "Calculate the offer of a public link with what the customer sets of it, without an answer",
    ...answerRouteParts,
    paths: ["/p/{token}/preview"],
    calculates: true,
    bodyLimitBytes: CHOICES.bytes,
    body: jsonOrFormBody(previewSelectionSchema, readPreview, CHOICES.fields),
    refusals: [404, 422],
    handler: async (call) => {
      const { context, params, query, body, request, now } = call;
      const previewed = await previewPublicLink(context.budgets, params.token, body, now);
      const refusal = previewed.isErr() && prefersHtml(request.accept()) ? refusalOf(previewed.error) : null;
      if (refusal === null) return previewed.asyncMap((view) => reply(view, call, query));
      const shown = await openWithSelection(context.budgets, params.token, body.selection, now);
      return shown.asyncMap((view) => pageReply(view, call, query, refusal));
    },
  }),
  answerRoute("accept", "acceptPublicBudget", "Accept the budget of a public link"),
  answerRoute("decline", "declinePublicBudget", "Decline the budget of a public link"),
];
