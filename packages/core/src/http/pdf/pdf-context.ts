import type { OpenLogo } from "../../attachments/logo.js";
import type { BudgetContext } from "../../budgets/budget-context.js";
import { SECOND_MS } from "../../kernel/clock.js";
import { createFairSemaphore, type RunInSlot } from "../../kernel/fair-semaphore.js";
import type { TextsByLanguage } from "../pages/page-words.js";
import type { PdfRenderer } from "./pdf-renderer.js";
import { createRecentPdfs, type RecentPdfs } from "./recent-pdfs.js";

/** The renderer of the host, and the slots in which it runs. */
export interface PdfContext {
  readonly budgets: BudgetContext;
  readonly renderer: PdfRenderer | null; // null = this service makes no PDFs
  readonly texts: TextsByLanguage; // of the host, in place of the service's
  readonly runInSlot: RunInSlot; // the key is the business
  readonly recent: RecentPdfs;
  /** The logo of a business; null = none, or a service that stores no files. */
  findLogo(businessId: string): Promise<OpenLogo | null>;
  onError(error: unknown): void;
}

/** Too many PDFs wait for a slot, or the logo was not read in time. */
export class PdfOverload extends Error {}

const LIMITS = { slots: 2, slotsPerKey: 1, maxWaiting: 100, timeoutMs: 15 * SECOND_MS };

/** Renderers compute on the event loop, in turns: more at once would only make each of them slower. */
export function createPdfContext(
  budgets: BudgetContext,
  renderer: PdfRenderer | null,
  texts: TextsByLanguage,
  findLogo: PdfContext["findLogo"],
  onError: PdfContext["onError"],
): PdfContext {
  const runInSlot = createFairSemaphore(LIMITS, (reason) => new PdfOverload(reason));
  return { budgets, renderer, texts, runInSlot, recent: createRecentPdfs(), findLogo, onError };
}
