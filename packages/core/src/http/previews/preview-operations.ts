import type { AccessContext } from "../../access/access-context.js";
import { type UpdateBusiness, updateBusinessSchema } from "../../access/business-view.js";
import { type PreviewDocument, unsavedBudgetSchema } from "../../budgets/unsaved/unsaved-offer.js";
import type { Actor } from "../../kernel/actor.js";
import type { Call, CallOptions, ContextFor } from "../../kernel/call.js";
import type { PreviewContext } from "./preview-document.js";
import { type PreviewOptions, previewWishesSchema } from "./preview-wishes.js";

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
