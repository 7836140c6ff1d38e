import { isMet, type Report, type Verdict } from "./benchmark.js";

export function printReport(title: string, { measured, verdicts, notes = [] }: Report): void {
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
  printVerdicts(verdicts);
  for (const note of notes) console.log(`\n${note}`);
}

export function printVerdicts(verdicts: readonly Verdict[]): void {
  if (verdicts.length === 0) return;
  const rows = verdicts.map((verdict) => [verdict.what, amount(verdict), targetOf(verdict), outcomeOf(verdict)]);
  printTable(["what", "measured", "target", ""], rows);
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

function amount({ value, unit }: Pick<Verdict, "value" | "unit">): string {
  const digits = unit === "×" && value < 20 ? 2 : 0;
  return `${value.toFixed(digits)}${unit === "×" ? "" : " "}${unit}`;
}

function targetOf({ target, unit }: Verdict): string {
  if (target === null) return "";
  return `${target.kind === "at-least" ? "≥" : "≤"} ${target.value}${unit === "×" ? "" : " "}${unit}`;
}

function outcomeOf(verdict: Verdict): string {
  if (verdict.target === null) return "";
  return isMet(verdict) ? "met" : "missed";
}

function count(perSecond: number): string {
  return Math.round(perSecond).toLocaleString("en-US");
}

function duration(microseconds: number): string {
  if (microseconds >= 1_000) return `${(microseconds / 1_000).toFixed(2)} ms`;
  return microseconds >= 10 ? `${microseconds.toFixed(1)} µs` : `${microseconds.toFixed(3)} µs`;
}
