import type { Result } from "neverthrow";
import { z } from "zod";
import type { Problem } from "../../kernel/problem.js";
import { PAGE_LANGUAGES } from "../pages/page-language.js";
import { type BudgetPdf, type PdfWishes, renderBudgetPdf, renderLinkedPdf } from "../pdf/budget-pdf.js";
import { byKey, defineRoute, type Reply, type RequestFacts, type Route, withoutBody } from "../route.js";
import { BUDGETS, budgetParams } from "./budgets.js";

const pdfQuery = z.object({
  lang: z
    .string()
    .max(35)
    .optional()
    .describe(`The language of the PDF: ${PAGE_LANGUAGES.join(", ")}.`),
});

const pdf = {
  method: "GET",
  query: pdfQuery,
  body: withoutBody,
  success: { status: 200, schema: z.string(), headers: ["etag"] },
  download: ["application/pdf"],
  refusals: [404, 422, 501],
} as const;

export const budgetPdfRoutes: readonly Route[] = [
  defineRoute({
    ...pdf,
    ...byKey("READ_BUDGETS"),
    operationId: "readBudgetPdf",
    summary: "Get a budget as PDF, as its customer sees it",
    paths: [`${BUDGETS}/{budgetId}/pdf`],
    params: budgetParams,
    handler: async ({ context, actor, params, query, request, now }) =>
      replyOf(await renderBudgetPdf(context.pdf, actor, params.budgetId, wishesOf(query, request), now)),
  }),
  defineRoute({
    ...pdf,
    operationId: "openPublicPdf",
    summary: "Get the budget of a public link as PDF",
    paths: ["/p/{token}.pdf"],
    surface: "link",
    auth: { kind: "none" },
    params: z.object({ token: z.string() }),
    handler: async ({ context, params, query, request, now }) =>
      replyOf(await renderLinkedPdf(context.pdf, params.token, wishesOf(query, request), now)),
  }),
];

function wishesOf({ lang = null }: { readonly lang?: string | null | undefined }, request: RequestFacts): PdfWishes {
  return { asked: lang, accepted: request.acceptLanguage() };
}

function replyOf(rendered: Result<BudgetPdf, Problem>): Result<Reply<string>, Problem> {
  return rendered.map(({ fileName, content, sha256 }) => ({
    download: {
      fileName,
      contentType: "application/pdf",
      size: content.byteLength,
      sha256,
      content: chunkOf(content),
      isOwn: true,
    },
  }));
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
