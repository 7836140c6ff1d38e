import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { err, ok, type Result } from "neverthrow";
import type { MailAttachment } from "../../access/mailer.js";
import type { MailFacts } from "../../budgets/mailing/mail-facts.js";
import { findOfferedBudget, findOfferedByToken, type OfferedBudget } from "../../budgets/offer/offered-budget.js";
import { publicUrlOf } from "../../budgets/offer/public-token.js";
import type { Actor } from "../../kernel/actor.js";
import { type Instant, SECOND_MS } from "../../kernel/clock.js";
import { brokenRule, type Problem, unavailable } from "../../kernel/problem.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import { budgetDocument } from "../pages/budget-document.js";
import type { LanguageWishes } from "../pages/page-language.js";
import { type PdfContext, PdfOverload } from "./pdf-context.js";
import type { PdfRenderer } from "./pdf-renderer.js";
import { madeOnce } from "./recent-pdfs.js";

export interface BudgetPdf {
  /** `Quote-42.pdf`, in the language of the document. */
  readonly fileName: string;
  /** The file. */
  readonly content: Uint8Array;
  /** Of the content, in hexadecimal. */
  readonly sha256: string;
}

export type PdfWishes = Omit<LanguageWishes, "own">;

const RETRY_SECONDS = 5;
const PIXELS: NonNullable<PdfRenderer["logoTypes"]> = ["image/png", "image/jpeg"];
const LOGO_DEADLINE_MS = 10 * SECOND_MS;

/**
 * The PDF of a budget. `link` is printed for its customer: who reads it can answer, so it is not in the files that readers
 * of a business get. Errors: not-implemented without a renderer; not-found; PDF_TOO_LONG; unavailable under too much load.
 */
export async function renderBudgetPdf(
  context: PdfContext,
  actor: Actor,
  id: string,
  wishes: PdfWishes,
  now: Instant = context.budgets.clock.now(),
  link: string | null = null,
): Promise<Result<BudgetPdf, Problem>> {
  const { budgets, renderer } = context;
  if (renderer === null) return err(noPdf);
  const found = await findOfferedBudget(budgets, actor, id, now);
  return found.isErr() ? err(found.error) : render(context, renderer, { ...found.value, link }, wishes);
}

/**
 * The characters of a budget that its PDF cannot show: it has a sign in their place, so the sender should know.
 * Errors: not-implemented without a renderer; not-found.
 */
export async function listUndrawable(
  { budgets, renderer, texts }: PdfContext,
  actor: Actor,
  id: string,
  wishes: PdfWishes,
  now: Instant = budgets.clock.now(),
): Promise<Result<readonly string[], Problem>> {
  if (renderer === null) return err(noPdf);
  const found = await findOfferedBudget(budgets, actor, id, now);
  if (found.isErr()) return err(found.error);
  return ok((await renderer.undrawable?.(budgetDocument(found.value.view, wishes, null, texts))) ?? []);
}

/** The PDF of the budget behind a link. Errors: as {@link renderBudgetPdf}, and those of the page of the link. */
export async function renderLinkedPdf(
  context: PdfContext,
  token: string,
  wishes: PdfWishes,
  now: Instant = context.budgets.clock.now(),
): Promise<Result<BudgetPdf, Problem>> {
  const { budgets, renderer } = context;
  if (renderer === null) return err(noPdf);
  const found = await findOfferedByToken(budgets, token, now);
  const link = publicUrlOf(budgets, token);
  return found.isErr() ? err(found.error) : render(context, renderer, { ...found.value, link }, wishes);
}

/** The PDF of a budget as it is shown, saved or not. Errors: those of {@link renderBudgetPdf} but not-found. */
export async function renderOffered(
  context: PdfContext,
  offered: OfferedBudget,
  link: string,
  wishes: PdfWishes,
): Promise<Result<BudgetPdf, Problem>> {
  const { renderer } = context;
  return renderer === null ? err(noPdf) : render(context, renderer, { ...offered, link }, wishes);
}

async function render(
  { runInSlot, texts, recent, findLogo, onError: report }: PdfContext,
  renderer: PdfRenderer,
  { businessId, view, changedAt, ...proof }: OfferedBudget & { readonly link: string | null },
  wishes: PdfWishes,
): Promise<Result<BudgetPdf, Problem>> {
  const document = budgetDocument(view, wishes, null, texts, proof);
  if (await renderer.isTooLong?.(document)) return err(tooLong);
  const changed = new Date(changedAt);
  const shown = view.business.logo ?? null;
  const key = sha256Hex(JSON.stringify([businessId, document, changed, shown]));
  const make = async () => {
    const logo = isDrawn(renderer, shown) ? await logoOf(findLogo, businessId) : null;
    const onError = (cause: unknown) =>
      report(new Error(`a PDF of the business ${businessId} is incomplete`, { cause }));
    return renderer.render(document, { changedAt: changed, logo, onError });
  };
  try {
    const content = await madeOnce(recent, businessId, key, () => runInSlot(businessId, make));
    return ok({
      fileName: fileNameOf(document.title),
      content,
      sha256: createHash("sha256").update(content).digest("hex"),
    });
  } catch (error) {
    if (error instanceof PdfOverload) return err(unavailable(RETRY_SECONDS));
    throw error;
  }
}

function isDrawn({ logoTypes = PIXELS }: PdfRenderer, logo: OfferedBudget["view"]["business"]["logo"] | null): boolean {
  return logo != null && logoTypes.includes(logo.contentType);
}

/** Rejects with a PdfOverload at the deadline: a blob store that never answers would keep the slot for ever. */
export async function logoOf(findLogo: PdfContext["findLogo"], businessId: string): Promise<Uint8Array | null> {
  const read = async () => {
    const found = await findLogo(businessId);
    return found === null ? null : new Uint8Array(await buffer(found.content));
  };
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PdfOverload("the logo was not read in time")), LOGO_DEADLINE_MS);
  });
  try {
    return await Promise.race([read(), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

const UNSAFE = /[^\p{L}\p{N}._-]+/gu;

function fileNameOf(title: string): string {
  return `${title.replace(UNSAFE, "-").slice(0, 100)}.pdf`;
}

const tooLong = brokenRule(
  "PDF_TOO_LONG",
  "The budget has more text than a PDF is made of: shorten its descriptions, its notes or the terms.",
  {},
);

const noPdf: Problem = {
  kind: "not-implemented",
  message: "This service was set up without a renderer of PDFs: its option `pdf`.",
};

/** Mails that prove or offer something. */
const WITH_PDF: ReadonlySet<MailFacts["mail"]["kind"]> = new Set([
  "budget",
  "reminder",
  "customer.accepted",
  "customer.newVersion",
  "seller.accepted",
] as const);

/**
 * The PDF of a mailed budget, in the language of the mail; none where the service makes no PDFs, or the budget is too long
 * for one. Throws when it cannot be made now: the mail is then tried again.
 */
export async function mailedPdf(
  context: PdfContext,
  { mail, publicUrl }: MailFacts,
): Promise<readonly MailAttachment[]> {
  if (context.renderer === null || !WITH_PDF.has(mail.kind)) return [];
  const actor = { kind: "system", businessId: mail.businessId } as const;
  const wishes = { asked: mail.lang, accepted: null };
  const now = context.budgets.clock.now();
  const pdf = await renderBudgetPdf(context, actor, mail.budgetId, wishes, now, publicUrl);
  if (pdf.isErr() && pdf.error.kind === "rule") return [];
  if (pdf.isErr()) throw new Error(`The PDF cannot be made: ${pdf.error.message}`);
  const { fileName, content } = pdf.value;
  return [{ fileName, contentType: "application/pdf", content }];
}
