import type { Actor } from "../../kernel/actor.js";
import type { Call, CallOptions } from "../../kernel/call.js";
import type { PdfContext } from "./pdf-context.js";

export interface PdfOptions extends CallOptions {
  /** `en`, `es` or `pt`. Default: the language of the business, else English. */
  readonly lang?: string;
}

/** The PDF of a budget, for hosts; its code is loaded with the first one. */
export function createPdfOperations(contextFor: (options?: CallOptions) => PdfContext, call: Call) {
  return {
    /** The PDF of a budget, as its customer sees it. */
    renderPdf: (actor: Actor, id: string, options?: PdfOptions) =>
      call.plain(actor, async () => {
        const { renderBudgetPdf } = await import("./budget-pdf.js");
        return renderBudgetPdf(contextFor(options), actor, id, { asked: options?.lang ?? null, accepted: null });
      }),
    /** The characters that the PDF of a budget cannot show, each once: it has a sign in their place. */
    listUndrawable: (actor: Actor, id: string, options?: PdfOptions) =>
      call.plain(actor, async () => {
        const { listUndrawable } = await import("./budget-pdf.js");
        return listUndrawable(contextFor(options), actor, id, { asked: options?.lang ?? null, accepted: null });
      }),
  };
}

export type PdfOperations = ReturnType<typeof createPdfOperations>;
