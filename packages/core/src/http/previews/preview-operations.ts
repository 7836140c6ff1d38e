import { z } from "zod";
import type { AccessContext } from "../../access/access-context.js";
import { type UpdateBusiness, updateBusinessSchema } from "../../access/business-view.js";
import { MAIL_LANGUAGES } from "../../budgets/mail.js";
import { type PreviewDocument, unsavedBudgetSchema } from "../../budgets/unsaved/unsaved-offer.js";
import type { Actor } from "../../kernel/actor.js";
import type { Call, CallOptions, ContextFor } from "../../kernel/call.js";
import { APPEARANCES } from "../pages/page-style.js";
import type { PreviewContext } from "./preview-document.js";

export const previewWishesSchema = z.object({
  /** What is shown. Default: the customer's page. */
  as: z.enum(["page", "mail", "pdf"]).default("page").describe("What is shown. Default: the customer's page."),
  /** Default: that of the business. */
  language: z.enum(MAIL_LANGUAGES).optional().describe("Default: that of the business."),
  /** Of the page and the mail. Default: as the reader prefers. */
  appearance: z.enum(APPEARANCES).optional().describe("Of the page and the mail. Default: as the reader prefers."),
});
/** How a document is shown. */
export interface PreviewOptions extends z.input<typeof previewWishesSchema> {}
export type PreviewWishes = z.output<typeof previewWishesSchema>;

/** Renderings of content that is not saved, for hosts; their code is loaded with the first one. */
export function createDocumentPreviews(contextFor: ContextFor<PreviewContext>, call: Call) {
  return {
    /** The page, mail or PDF that the customer would get of the content. Stores and sends nothing. */
    previewDocument: (
      actor: Actor,
      input: PreviewDocument,
      { connection, ...options }: PreviewOptions & CallOptions = {},
    ) =>
      call.with(actor, previewWishesSchema, options, (wishes) =>
        call.with(actor, unsavedBudgetSchema, input, async (parsed) => {
          const { previewDocument } = await import("./preview-document.js");
          const context = contextFor(connection === undefined ? undefined : { connection });
          return previewDocument(context, actor, parsed, wishes, context.pdf.budgets.clock.now());
        }),
      ),
  };
}

export type DocumentPreviews = ReturnType<typeof createDocumentPreviews>;

/** Renderings of a business that is not saved, for hosts. */
export function createBusinessPreviews(
  context: PreviewContext & { readonly access: Pick<AccessContext, "store"> },
  call: Call,
) {
  return {
    /** The page, mail or PDF of a sample budget after the change of the actor's own business. Stores nothing. */
    preview: (actor: Actor, input: UpdateBusiness = {}, options: PreviewOptions = {}) =>
      call.with(actor, previewWishesSchema, options, (wishes) =>
        call.with(actor, updateBusinessSchema, input, async (parsed) => {
          const { previewBusiness } = await import("./preview-business.js");
          return previewBusiness(context, actor, parsed, wishes, context.pdf.budgets.clock.now());
        }),
      ),
  };
}

export type BusinessPreviews = ReturnType<typeof createBusinessPreviews>;
