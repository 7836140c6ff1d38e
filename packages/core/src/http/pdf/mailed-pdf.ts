import type { MailAttachment } from "../../access/mailer.js";
import type { MailFacts } from "../../budgets/mailing/attempt-mail.js";
import { renderBudgetPdf } from "./budget-pdf.js";
import type { PdfContext } from "./pdf-context.js";

/**
 * The PDF of a mailed budget, in the language of the mail; none where the service makes no PDFs. Throws when it cannot be
 * made now: the mail is then tried again.
 */
export async function mailedPdf(context: PdfContext, { mail }: MailFacts): Promise<readonly MailAttachment[]> {
  if (context.renderer === null) return [];
  const actor = { kind: "system", businessId: mail.businessId } as const;
  const pdf = await renderBudgetPdf(context, actor, mail.budgetId, { asked: mail.lang, accepted: null });
  if (pdf.isErr()) throw new Error(`The PDF cannot be made: ${pdf.error.message}`);
  const { fileName, content } = pdf.value;
  return [{ fileName, contentType: "application/pdf", content }];
}
