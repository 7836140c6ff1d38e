import { createHash } from "node:crypto";
import type { Result } from "neverthrow";
import { z } from "zod";
import { updateBusinessSchema } from "../../access/business-view.js";
import { unsavedBudgetSchema } from "../../budgets/unsaved/unsaved-offer.js";
import type { Problem } from "../../kernel/problem.js";
import { previewBusiness } from "../previews/preview-business.js";
import { previewDocument, type ShownDocument } from "../previews/preview-document.js";
import { previewWishesSchema } from "../previews/preview-wishes.js";
import { byAdministrator, byKey, defineRoute, jsonBody, nothing, type Reply, type Route } from "../route.js";
import { BUDGETS } from "./budgets.js";

const shown = {
  method: "POST",
  params: nothing,
  query: previewWishesSchema,
  success: { status: 200, schema: z.string(), headers: ["etag"] },
  download: ["application/pdf", "text/html"],
} as const;

/** What a customer would see of a budget that is not saved. */
export const documentPreviewRoutes: readonly Route[] = [
  defineRoute({
    ...shown,
    ...byKey("WRITE_BUDGETS"),
    operationId: "previewDocument",
    summary: "Show a budget that is not saved as its customer would see it: as page, mail or PDF",
    paths: [`${BUDGETS}/preview/document`],
    body: jsonBody(unsavedBudgetSchema),
    refusals: [404, 422],
    handler: async ({ context, actor, query, body, now }) =>
      replyOf(await previewDocument(context, actor, body, query, now)),
  }),
];

/** What customers would see of a business that is not saved. */
export const businessPreviewRoutes: readonly Route[] = [
  defineRoute({
    ...shown,
    ...byAdministrator,
    operationId: "previewBusiness",
    summary: "Show a sample budget as page, mail or PDF after a change of the business that is not saved",
    paths: ["/api/developer/business/preview"],
    body: jsonBody(updateBusinessSchema),
    refusals: [422],
    handler: async ({ context, actor, query, body, now }) =>
      replyOf(await previewBusiness(context, actor, body, query, now)),
  }),
];

function replyOf(rendered: Result<ShownDocument, Problem>): Result<Reply<string>, Problem> {
  return rendered.map(({ fileName, contentType, content, contentSecurityPolicy: policy }) => ({
    download: {
      fileName,
      contentType,
      size: content.byteLength,
      sha256: createHash("sha256").update(content).digest("hex"),
      content: chunkOf(content),
      isOwn: true,
      ...(policy === null ? {} : { policy }),
    },
  }));
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
