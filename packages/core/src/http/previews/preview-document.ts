import { err, ok, type Result } from "neverthrow";
import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { type UnsavedBudgetInput, unsavedMail, unsavedOffer } from "../../budgets/unsaved/unsaved-offer.js";
import type { Actor } from "../../kernel/actor.js";
import { DAY_MS, type Instant } from "../../kernel/clock.js";
import { type Problem, unavailable } from "../../kernel/problem.js";
import { budgetMail } from "../pages/budget-mail.js";
import { policyOfUnsaved } from "../pages/html.js";
import { withLiftedStyles } from "../pages/lifted-styles.js";
import { publicPage } from "../pages/own-page.js";
import type { PublicPageOptions } from "../pages/page-options.js";
import { inAppearance } from "../pages/page-style.js";
import { type BudgetPdf, logoOf, renderOffered } from "../pdf/budget-pdf.js";
import { type PdfContext, PdfOverload } from "../pdf/pdf-context.js";
import type { PreviewWishes } from "./preview-wishes.js";

/** What renders the page, the mail and the PDF of every budget. */
export interface PreviewContext {
  readonly pdf: PdfContext;
  readonly publicPage: PublicPageOptions;
}

/** A rendering of what is not saved. */
export interface ShownDocument {
  /** `text/html; charset=utf-8` or `application/pdf`. */
  readonly contentType: string;
  /** For people who keep it. */
  readonly fileName: string;
  /** The file. */
  readonly content: Uint8Array;
  /** The Content-Security-Policy of a page or mail; null = a PDF. */
  readonly contentSecurityPolicy: string | null;
}

/**
 * What the customer would see of the content if it were saved and sent now, by the functions that render pages, mails and
 * PDFs. Nothing is stored or sent. Errors: those of unsavedOffer and, of the PDF and the mail that has it, those of
 * renderBudgetPdf.
 */
export async function previewDocument(
  context: PreviewContext,
  actor: Actor,
  input: UnsavedBudgetInput,
  wishes: PreviewWishes,
  now: Instant,
): Promise<Result<ShownDocument, Problem>> {
  const offer = await unsavedOffer(context.pdf.budgets, actor, input, now);
  if (offer.isErr()) return err(offer.error);
  const shown = { context, actor, view: offer.value, message: input.message ?? null, wishes, now };
  try {
    return await RENDERERS[wishes.as](shown);
  } catch (error) {
    if (error instanceof PdfOverload) return err(unavailable(RETRY_SECONDS)); // the logo was not read in time
    throw error;
  }
}

const RETRY_SECONDS = 5;

interface Shown {
  readonly context: PreviewContext;
  readonly actor: Actor;
  readonly view: PublicBudgetView;
  readonly message: string | null;
  readonly wishes: PreviewWishes;
  readonly now: Instant;
}

const RENDERERS = { page: showPage, mail: showMail, pdf: showPdf };

async function showPage({ context, actor, view, wishes, now }: Shown): Promise<Result<ShownDocument, Problem>> {
  const { appearance = null, language: asked = null } = wishes;
  const unsaved = { logo: await logoAddress(context, actor, view), appearance };
  const parts = { hasPdf: context.pdf.renderer !== null, unsaved };
  const { markup, headers } = await publicPage(view, { asked, accepted: null }, now, parts, context.publicPage);
  return ok(pageNamed("preview.html", markup, headers["content-security-policy"] ?? policyOfUnsaved([])));
}

async function showMail(shown: Shown): Promise<Result<ShownDocument, Problem>> {
  const { context, actor, view, message, wishes, now } = shown;
  const pdf = context.pdf.renderer === null ? null : await renderPdf(shown);
  if (pdf?.isErr() && pdf.error.kind !== "rule") return err(pdf.error); // a mail without a PDF is too long for one
  const files = pdf?.isOk() ? [{ ...pdf.value, contentType: "application/pdf" }] : [];
  const logo = await logoAddress(context, actor, view);
  const facts = unsavedMail(view, { lang: wishes.language ?? null, message }, actor, now);
  const { html } = budgetMail(logo === null ? facts : { ...facts, logo }, files, now);
  const { markup, sheet } = withLiftedStyles(html, (style) => inAppearance(style, wishes.appearance ?? null));
  return ok(pageNamed("mail.html", markup, policyOfUnsaved([sheet])));
}

async function showPdf(shown: Shown): Promise<Result<ShownDocument, Problem>> {
  return (await renderPdf(shown)).map(({ fileName, content }) => ({
    contentType: "application/pdf",
    fileName,
    content,
    contentSecurityPolicy: null,
  }));
}

/** Of one day: the same content is the same file, which is made once. */
function renderPdf({ context, actor, view, wishes, now }: Shown): Promise<Result<BudgetPdf, Problem>> {
  const offered = { businessId: actor.businessId, view, changedAt: now - (now % DAY_MS), evidenceHash: null };
  return renderOffered(context.pdf, offered, view.publicUrl, { asked: wishes.language ?? null, accepted: null });
}

/** The logo itself, for readers who cannot open its address; null = none. */
async function logoAddress(
  { pdf }: PreviewContext,
  { businessId }: Actor,
  { business: { logo } }: PublicBudgetView,
): Promise<string | null> {
  const bytes = logo === undefined ? null : await logoOf(pdf.findLogo, businessId);
  return bytes === null ? null : `data:${logo?.contentType};base64,${Buffer.from(bytes).toString("base64")}`;
}

function pageNamed(fileName: string, markup: string, contentSecurityPolicy: string): ShownDocument {
  const content = new TextEncoder().encode(markup);
  return { contentType: "text/html; charset=utf-8", fileName, content, contentSecurityPolicy };
}
