import { createBudgetService, systemClock } from "@budgetkit/core";
import { EMPTY_PROFILE, insertBusinessCommit } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { byCursor } from "../export/business-records.js";
import { generateSecret } from "../settings/secret-file.js";
import { findBudget, importBudget, importedId, importPayment } from "./import-budget.js";
import { type ImportLine, readImportLine } from "./import-line.js";
import { hasMessage, importMessage } from "./import-message.js";
import type { ImportTarget } from "./import-record.js";
import { findRecord, importRecord, LEFT_OUT, type Outcome, SKIPPED } from "./import-record.js";

/** The counts of an import. */
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
 * Imports the lines of an export into a business, in order. A line that cannot be imported is passed to `complain` with
 * its number, and the import continues.
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
  readonly line: ImportLine | string; // or its problem
}

/** Budgets do not depend on each other, nor do payments; simultaneous writes share commits. */
const TOGETHER = 25;

/** The lines in order, in groups of independent ones. */
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

/** The kind of a line that can be imported together with its neighbours; null = alone. */
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

/** Imports each line. */
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
      case "message": {
        const id = await importedId(target, source, line.data.budgetId);
        return id === null ? noBudget(line.data.budgetId) : importMessage(target, id, line.data);
      }
      default:
        return LEFT_OUT;
    }
  };
}

/** Dry run: checks what the business has already, and imports the rest into a temporary business. */
function tried(target: ImportTarget, scratch: ImportTarget): Bring {
  const bring = broughtInto(scratch);
  let source = "";
  return async (line) => {
    if (line.type === "export") source = line.data.businessId;
    if (line.type === "customer" || line.type === "product" || line.type === "package") {
      const found = await findRecord(target, line.type, line.data);
      const made = await bring(line); // packages and budgets may refer to it
      return found ?? made;
    }
    if (line.type === "budget") {
      const found = await findBudget(target, source, line.data);
      return found ?? ((await isNumberTaken(target, line.data.number)) ? numberTaken : bring(line));
    }
    if (line.type === "payment") {
      const id = await importedId(target, source, line.data.budgetId);
      const found =
        id === null ? null : await target.store.findPayment(target.actor.businessId, id, line.data.reference);
      if (found !== null) return SKIPPED;
      if (id !== null) return { kind: "created" };
    }
    if (line.type === "message") {
      const id = await importedId(target, source, line.data.budgetId);
      if (id !== null) return (await hasMessage(target, id, line.data)) ? SKIPPED : { kind: "created" };
    }
    return bring(line);
  };
}

async function scratchTarget({ service, actor }: ImportTarget): Promise<ImportTarget> {
  const store = sqliteStore(":memory:");
  await store.migrate();
  const { businessId } = actor;
  const business = await service.businesses.find(businessId);
  const unknown = { id: businessId, name: "", tier: "STANDARD", timeZone: "UTC", profile: EMPTY_PROFILE } as const;
  await store.commit(insertBusinessCommit(business ?? { ...unknown, version: 1, createdAt: systemClock.now() }));
  return { service: createBudgetService({ store, secret: generateSecret() }), store, actor };
}

/** The numbers that contain this one are searched; it is taken if one of them is the same. */
async function isNumberTaken({ service, actor }: ImportTarget, number: string | undefined): Promise<boolean> {
  if (number === undefined) return false;
  for await (const budget of byCursor((query) => service.budgets.list(actor, { ...query, search: number }))) {
    if (budget.number === number) return true;
  }
  return false;
}

const numberTaken: Outcome = { kind: "refused", why: "another budget of the business has this number" };

const noSource: Outcome = { kind: "refused", why: "comes before the line of type export, which names its business" };

function noBudget(id: string): Outcome {
  return { kind: "refused", why: `the budget ${id}, to which it belongs, was not imported` };
}
