/** A calendar month. */
export interface Month {
  readonly year: number;
  readonly month: number; // 1 to 12
}

const SEQUENCE = /\{seq(?::([1-9]))?\}/;
const FIELDS = /\{(?:year|month|seq(?::[1-9])?)\}/g;

/** The number of a pattern at a place of its sequence; null = the pattern makes none. The service decides on saving. */
export function numberAt(pattern: string, month: Month, value: number): string | null {
  const series = seriesOf(pattern, month);
  return series === null ? null : series.before + String(value).padStart(series.digits, "0") + series.after;
}

/** The number after the greatest of the series. */
export function nextNumber(pattern: string, month: Month, used: readonly string[]): string | null {
  const series = seriesOf(pattern, month);
  if (series === null) return null;
  const greatest = used.reduce((found, number) => Math.max(found, valueIn(series, number)), 0);
  return numberAt(pattern, month, greatest + 1);
}

/** What each number of this month begins with, for a search of them. */
export function beginningOf(pattern: string, month: Month): string {
  return seriesOf(pattern, month)?.before ?? "";
}

interface Series {
  readonly before: string;
  readonly after: string;
  readonly digits: number;
}

function seriesOf(pattern: string, { year, month }: Month): Series | null {
  const sequences = pattern.match(new RegExp(SEQUENCE, "g")) ?? [];
  if (sequences.length !== 1 || /[{}]/.test(pattern.replace(FIELDS, ""))) return null;
  const filled = pattern.replaceAll("{year}", String(year)).replaceAll("{month}", String(month).padStart(2, "0"));
  const [before = "", digits, after = ""] = filled.split(SEQUENCE);
  return { before, after, digits: Number(digits ?? 1) };
}

function valueIn({ before, after }: Series, number: string): number {
  if (!number.startsWith(before) || !number.endsWith(after)) return 0;
  const digits = number.slice(before.length, number.length - after.length);
  return /^\d{1,15}$/.test(digits) ? Number(digits) : 0;
}
