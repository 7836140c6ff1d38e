import { z } from "zod";
import { MAIL_LANGUAGES } from "../../budgets/mail.js";

export const previewWishesSchema = z.object({
  /** What is shown. Default: the customer's page. */
  as: z.enum(["page", "mail", "pdf"]).default("page").describe("What is shown. Default: the customer's page."),
  /** Default: that of the business. */
  language: z.enum(MAIL_LANGUAGES).optional().describe("Default: that of the business."),
  /** Of the page and the mail. Default: as the reader prefers. */
  appearance: z
    .enum(["light", "dark"])
    .optional()
    .describe("Of the page and the mail. Default: as the reader prefers."),
});
/** How a document is shown. */
export interface PreviewOptions extends z.input<typeof previewWishesSchema> {}
export type PreviewWishes = z.output<typeof previewWishesSchema>;
