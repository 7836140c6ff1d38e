import { getMonth } from "date-fns/getMonth";
import { getYear } from "date-fns/getYear";
import type { Instant } from "./clock.js";
import { wallClockIn } from "./dates.js";

/** The numbers that a pattern gives in one year or month: `before`, a value of at least `digits` digits, `after`. */
export interface NumberSeries {
  readonly key: string; // the pattern with year and month filled in; values are counted by it
  readonly before: string;
  readonly after: string;
  readonly digits: number;
}

const MAX_LENGTH = 40;
const FIELD = /\{(year|month|seq|seq:[1-9])\}/g;
const SEQUENCE = /\{seq(?::([1-9]))?\}/;

/** Stores put numbers into JSON texts, where a quote or a backslash would need an escape. */
const PLAIN_TEXT = /^[^\p{C}\p{Zl}\p{Zp}"\\{}]*$/u;

/** The reason why a text is no pattern; null = it is one. */
export function patternFault(pattern: string): string | null {
  if (pattern.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (pattern !== pattern.trim()) return "must not begin or end with a space";
  const sequences = pattern.match(new RegExp(SEQUENCE, "g")) ?? [];
  if (sequences.length !== 1) return "must have {seq} or {seq:n}, with n from 1 to 9, exactly once";
  if (PLAIN_TEXT.test(pattern.replaceAll(FIELD, ""))) return null;
  return "may have {year}, {month}, {seq} and {seq:n} in braces, and printable characters except quotes and backslashes";
}

/** The series of a pattern at a moment, in a time zone. */
export function seriesAt(pattern: string, now: Instant, timeZone: string): NumberSeries {
  const shown = wallClockIn(timeZone, now);
  return seriesOf(pattern, String(getYear(shown)), String(getMonth(shown) + 1).padStart(2, "0"));
}

/** A number of the series. */
export function numberIn({ before, digits, after }: Omit<NumberSeries, "key">, value: number): string {
  return before + String(value).padStart(digits, "0") + after;
}

/** The series that a number of the pattern belongs to, and its value there; null = the pattern makes no such number. */
export function placeIn(pattern: string, number: string): { series: NumberSeries; value: number } | null {
  const captures = { year: "(?<year>\\d{4})", month: "(?<month>\\d{2})" };
  const named = new Set<string>();
  const source = pattern
    .split(/(\{[^}]*\})/)
    .map((part) => {
      if (!part.startsWith("{")) return escaped(part);
      const field = part.slice(1, -1);
      if (field !== "year" && field !== "month") return "(?<value>\\d{1,15})";
      if (named.has(field)) return `\\k<${field}>`;
      named.add(field);
      return captures[field];
    })
    .join("");
  const groups = new RegExp(`^${source}$`, "u").exec(number)?.groups;
  if (groups === undefined) return null;
  const series = seriesOf(pattern, groups.year ?? "", groups.month ?? "");
  const value = Number(groups.value);
  return value > 0 && numberIn(series, value) === number ? { series, value } : null;
}

function seriesOf(pattern: string, year: string, month: string): NumberSeries {
  const key = pattern.replaceAll("{year}", year).replaceAll("{month}", month);
  const [before = "", digits = "1", after = ""] = key.split(SEQUENCE);
  return { key, before, after, digits: Number(digits) };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
