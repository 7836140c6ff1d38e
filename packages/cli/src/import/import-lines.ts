import { createBudgetService, systemClock } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { generateSecret } from "../secret-file.js";
import { findBudget, importBudget, importedId, importPayment } from "./import-budget.js";
import { type ImportLine, readImportLine } from "./import-line.js";
import { findRecord, importRecord } from "./import-record.js";
import type { ImportTarget } from "./import-target.js";
import { LEFT_OUT, type Outcome, SKIPPED } from "./outcome.js";

/** How an import went. */
export interface ImportSummary {
  readonly created: number;
  readonly skipped: number;
  readonly conflicts: number;
  readonly refused: number;
  readonly leftOut: number;
}

const COUNTED = {
  created: "created",
  skipped: "skipped",
  conflict: "conflicts",
  refused: "refused",
  "left-out": "leftOut",
} as const;

/**
 * Brings the lines of an export into a business, one after the other, and goes on after one that it cannot bring in,
 * which `complain` is told of with its number.
 */
export async function importLines(
  target: ImportTarget,
  lines: AsyncIterable<string>,
  complain: (lineNumber: number, why: string) => void,
  onLine: (count: number) => void,
  isDryRun: boolean,
): Promise<ImportSummary> {
  const summary = { created: 0, skipped: 0, conflicts: 0, refused: 0, leftOut: 0 };
  const scratch = isDryRun ? await scratchTarget(target) : null;
  const bring = scratch === null ? broughtInto(target) : tried(target, scratch);
  try {
    for await (const batch of batchesOf(lines)) {
      const outcomes = await Promise.all(
        batch.map(({ line }): Outcome | Promise<Outcome> =>
          typeof line === "string" ? refusedFor(line) : bring(line),
        ),
      );
      for (const [index, outcome] of outcomes.entries()) {
        const number = batch[index]?.number ?? 0;
        summary[COUNTED[outcome.kind]] += 1;
        if ("why" in outcome) complain(number, outcome.why);
        onLine(number);
      }
    }
  } finally {
    await scratch?.store.close();
  }
  return summary;
}

interface NumberedLine {
  readonly number: number; // from 1
  readonly line: ImportLine | string; // or what is wrong with it
}

/** Budgets do not depend on each other, and neither do payments; what waits at once shares its commits. */
const TOGETHER = 25;

/** The lines in their order, a few at once where none of them can depend on another one. */
async function* batchesOf(lines: AsyncIterable<string>): AsyncGenerator<readonly NumberedLine[]> {
  let batch: NumberedLine[] = [];
  let taken = new Set<string>();
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() === "") continue;
    const line = readImportLine(text);
    const mark = markOf(line);
    const isApart = mark === null || taken.has(mark) || batch.length === TOGETHER || !isOfOneKind(batch, line);
    if (isApart && batch.length > 0) {
      yield batch;
      batch = [];
      taken = new Set();
    }
    batch.push({ number, line });
    if (mark !== null) taken.add(mark);
  }
  if (batch.length > 0) yield batch;
}

/** What tells a line from others that it can go along with; null = it goes alone. */
function markOf(line: ImportLine | string): string | null {
  if (typeof line === "string") return null;
  if (line.type === "budget") return line.data.id;
  return line.type === "payment" ? `${line.data.budgetId} ${line.data.reference}` : null;
}

function isOfOneKind([first]: readonly NumberedLine[], line: ImportLine | string): boolean {
  if (first === undefined || typeof first.line === "string" || typeof line === "string") return false;
  return first.line.type === line.type;
}

function refusedFor(why: string): Outcome {
  return { kind: "refused", why };
}

type Bring = (line: ImportLine) => Promise<Outcome>;

/** Brings each line into the business. */
function broughtInto(target: ImportTarget): Bring {
  let source = "";
  return async (line) => {
    switch (line.type) {
      case "export":
        source = line.data.businessId;
        return LEFT_OUT;
      case "customer":
      case "product":
      case "package":
        return (await findRecord(target, line.type, line.data)) ?? importRecord(target, line.type, line.data);
      case "budget":
        return source === "" ? noSource : importBudget(target, source, line.data);
      case "payment": {
        const id = await importedId(target, source, line.data.budgetId);
        return id === null ? noBudget(line.data.budgetId) : importPayment(target, id, line.data);
      }
      default:
        return LEFT_OUT;
    }
  };
}

/** Looks whether each line is in the business, and brings what is not into a business that vanishes afterwards. */
function tried(target: ImportTarget, scratch: ImportTarget): Bring {
  const bring = broughtInto(scratch);
  let source = "";
  return async (line) => {
    if (line.type === "export") source = line.data.businessId;
    if (line.type === "customer" || line.type === "product" || line.type === "package") {
      const found = await findRecord(target, line.type, line.data);
      const made = await bring(line); // packages and budgets may name it
      return found ?? made;
    }
    if (line.type === "budget") return (await findBudget(target, source, line.data)) ?? bring(line);
    if (line.type === "payment") {
      const id = await importedId(target, source, line.data.budgetId);
      const found =
        id === null ? null : await target.store.findPayment(target.actor.businessId, id, line.data.reference);
      if (found !== null) return SKIPPED;
      if (id !== null) return { kind: "created" };
    }
    return bring(line);
  };
}

async function scratchTarget({ service, actor }: ImportTarget): Promise<ImportTarget> {
  const store = sqliteStore(":memory:");
  await store.migrate();
  const { businessId } = actor;
  const business = await service.businesses.find(businessId);
  await store.insertBusiness(
    business ?? { id: businessId, name: "", tier: "STANDARD", timeZone: "UTC", createdAt: systemClock.now() },
  );
  return { service: createBudgetService({ store, secret: generateSecret() }), store, actor };
}

const noSource: Outcome = { kind: "refused", why: "comes before the line of type export, which tells whose it is" };

function noBudget(id: string): Outcome {
  return { kind: "refused", why: `the budget ${id}, which was paid, was not imported` };
}
