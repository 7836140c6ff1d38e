import { type BudgetEntry, BudgetkitError } from "@budgetkit/client";
import type { BudgetsPlan } from "../budgets-plan.js";
import { FIRST, type LoadedPage, loadPage, type PageStart, type ReadList } from "../list/load-page.js";
import { type ExportFormat, headOf, linesOf } from "./csv.js";

export interface ExportProgress {
  readonly done: number;
  readonly total: number;
  /** Milliseconds until the service takes requests again; null = it does. */
  readonly pauseMs: number | null;
}

interface Job {
  readonly format: ExportFormat;
  readonly plan: BudgetsPlan;
  readonly read: ReadList;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onProgress: (progress: ExportProgress) => void;
}

/**
 * The budgets of a filter as a file, page by page: only the text that is written stays, as parts of a Blob that the
 * browser may keep on disk. Where the rate limit is used up, it waits as long as the service says.
 */
export async function exportFilter({ format, plan, read, sleep, onProgress }: Job): Promise<Blob> {
  const parts = [new Blob([headOf(format)])];
  let done = 0;
  let total = 0;
  for (let start: PageStart | null = FIRST; start !== null; ) {
    const page: LoadedPage<BudgetEntry> = await loadPage(patient(), plan, start, (budget) => budget);
    parts.push(new Blob([linesOf(format, page.budgets)]));
    done += page.budgets.length;
    total = Math.max(done, start === FIRST ? page.total : total);
    start = page.next;
    onProgress({ done, total, pauseMs: null });
  }
  return new Blob(parts, { type: TYPES[format] });

  function patient(): ReadList {
    return async (query) => {
      for (;;) {
        try {
          return await read(query);
        } catch (error) {
          const pauseMs = error instanceof BudgetkitError && error.status === 429 ? error.retryAfterMs : null;
          if (pauseMs === null) throw error;
          onProgress({ done, total, pauseMs });
          await sleep(pauseMs);
        }
      }
    };
  }
}

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv;charset=utf-8",
  jsonl: "application/jsonl;charset=utf-8",
};

/** A file of budgets that are here already, or read one by one. */
export async function exportSome(
  format: ExportFormat,
  ids: readonly string[],
  get: (id: string) => Promise<BudgetEntry>,
  onProgress: (progress: ExportProgress) => void,
): Promise<Blob> {
  const parts: string[] = [headOf(format)];
  for (const [index, id] of ids.entries()) {
    parts.push(linesOf(format, [await get(id)]));
    onProgress({ done: index + 1, total: ids.length, pauseMs: null });
  }
  return new Blob(parts, { type: TYPES[format] });
}

/** Hands a file to the browser's downloads. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
