import { isMet, type Target, type TargetName, targets, type Unit } from "../data/targets.js";
import type { Figure, Report } from "./benchmark.js";

export function printReport(title: string, { measured, figures, notes = [] }: Report): void {
  console.log(`\n## ${title}\n`);
  if (measured.length > 0) {
    const hasServers = measured.some(({ server }) => server !== null);
    const rows = measured.map(({ side, perSecond, p50, p99, server }) => [
      side,
      perSecond === null ? "" : count(perSecond),
      duration(p50),
      duration(p99),
      ...(server === null ? [] : [duration(server.cpu), duration(server.loopDelay)]),
    ]);
    const head = ["side", "per second", "p50", "p99"];
    printTable(hasServers ? [...head, "CPU an answer", "loop delay p99"] : head, rows);
    console.log("");
  }
  printFigures(figures);
  for (const note of notes) console.log(`\n${note}`);
}

function printFigures(figures: readonly Figure[]): void {
  if (figures.length === 0) return;
  printTable(["what", "measured", "target", ""], figures.map(rowOf));
}

/** A row for each target of these benchmarks. A target without a figure was not measured. */
export function printTargets(figures: readonly Figure[], benchmarks: ReadonlySet<string>): void {
  const rows = Object.entries<Target>(targets)
    .filter(([, { benchmark }]) => benchmarks.has(benchmark))
    .map(([name, target]) => {
      const figure = figures.find((each) => each.target === name);
      return figure === undefined ? [nameOf(target), "", boundOf(target), "not measured"] : rowOf(figure);
    });
  if (rows.length > 0) printTable(["what", "measured", "target", ""], rows);
}

function rowOf(figure: Figure): string[] {
  if (figure.target === null) return [figure.what, amount(figure.value, figure.unit), "", ""];
  const target: Target = targets[figure.target satisfies TargetName];
  const verdict = isMet(target, figure.value) ? "met" : "missed";
  return [nameOf(target), amount(figure.value, target.unit), boundOf(target), verdict];
}

function nameOf({ what, beside }: Target): string {
  return beside === null ? what : `${what} / ${beside}`;
}

/** A Markdown table, aligned for reading as text. */
function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  console.log(line(head));
  console.log(`|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`);
  for (const row of rows) console.log(line(row));
}

function amount(value: number, unit: Unit): string {
  const digits = unit === "×" && value < 20 ? 2 : 0;
  return withUnit(value.toFixed(digits), unit);
}

function boundOf({ kind, value, unit }: Target): string {
  return `${kind === "at-least" ? "≥" : "≤"} ${withUnit(String(value), unit)}`;
}

function withUnit(number: string, unit: Unit): string {
  return unit === "×" ? `${number}×` : `${number} ${unit}`;
}

function count(perSecond: number): string {
  return Math.round(perSecond).toLocaleString("en-US");
}

function duration(microseconds: number): string {
  if (microseconds >= 1_000) return `${(microseconds / 1_000).toFixed(2)} ms`;
  return microseconds >= 10 ? `${microseconds.toFixed(1)} µs` : `${microseconds.toFixed(3)} µs`;
}
