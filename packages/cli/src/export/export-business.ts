import type { Actor, BudgetService } from "@budgetkit/core";
import { budgetsOf, byCursor, eventsOf, evidenceOf, messagesOf, paymentsOf } from "./business-records.js";
import { type Cell, csvRow } from "./csv.js";
import { CSV_COLUMNS, cellsOf } from "./csv-columns.js";
import type { ExportHeader, ExportKind, ExportLine } from "./export-line.js";

interface Source {
  readonly service: BudgetService;
  readonly actor: Actor;
}

/** The lines of an export of these kinds, as JSON, each with its line end. */
export async function* jsonLines(source: Source, header: ExportHeader, kinds: readonly ExportKind[]) {
  yield jsonLine({ type: "export", data: header });
  for (const kind of kinds) {
    for await (const line of LINES[kind](source)) yield jsonLine(line);
  }
}

function jsonLine(line: ExportLine): string {
  return `${JSON.stringify(line)}\n`;
}

const LINES: Readonly<Record<ExportKind, (source: Source) => AsyncGenerator<ExportLine>>> = {
  customers: ({ service, actor }) =>
    typed(
      "customer",
      byCursor((query) => service.customers.list(actor, query)),
    ),
  products: ({ service, actor }) =>
    typed(
      "product",
      byCursor((query) => service.products.list(actor, query)),
    ),
  packages: ({ service, actor }) =>
    typed(
      "package",
      byCursor((query) => service.packages.list(actor, query)),
    ),
  budgets: ({ service, actor }) => typed("budget", budgetsOf(service, actor)),
  payments: ({ service, actor }) => typed("payment", paymentsOf(service, actor)),
  messages: ({ service, actor }) => typed("message", messagesOf(service, actor)),
  evidence: ({ service, actor }) => typed("evidence", evidenceOf(service, actor)),
  events: ({ service, actor }) => typed("event", eventsOf(service, actor, new Date())),
};

async function* typed<T extends string, V>(type: T, views: AsyncGenerator<V>) {
  for await (const data of views) yield { type, data };
}

export type CsvKind = keyof typeof CSV_COLUMNS;

const ROWS: Readonly<Record<CsvKind, (source: Source) => AsyncGenerator<Cell[]>>> = {
  customers: ({ service, actor }) =>
    rows(
      CSV_COLUMNS.customers,
      byCursor((query) => service.customers.list(actor, query)),
    ),
  products: ({ service, actor }) =>
    rows(
      CSV_COLUMNS.products,
      byCursor((query) => service.products.list(actor, query)),
    ),
  budgets: ({ service, actor }) => rows(CSV_COLUMNS.budgets, budgetsOf(service, actor)),
};

async function* rows<V>(columns: Readonly<Record<string, (view: V) => Cell>>, views: AsyncGenerator<V>) {
  for await (const view of views) yield cellsOf(columns, view);
}

/** The rows of a table as CSV, the header first, each with its line end. */
export async function* csvLines(source: Source, kind: CsvKind): AsyncGenerator<string> {
  yield `${csvRow(Object.keys(CSV_COLUMNS[kind]))}\r\n`;
  for await (const cells of ROWS[kind](source)) yield `${csvRow(cells)}\r\n`;
}
