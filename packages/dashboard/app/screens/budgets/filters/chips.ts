import type { Formats } from "../../../formats/formats.js";
import type { Words } from "../../../words/en.js";
import type { BudgetsSearch } from "../budgets-search.js";

export interface FilterChip {
  readonly field: string;
  readonly value: string;
  /** The fields of the address that it stands for. */
  readonly names: readonly (keyof BudgetsSearch)[];
}

/** The filters as "field value", in the order of the dialog. A view is a tab, and has none. */
export function chipsOf(
  search: BudgetsSearch,
  customerName: string | null,
  words: Words,
  formats: Formats,
): readonly FilterChip[] {
  const texts = words.budgets.chips;
  const { status, includeDeleted, customerId, createdAfter, createdBefore, minTotal, maxTotal, currency } = search;
  const day = (text: string) => formatDay(text, formats.locale);
  const chips: (FilterChip | null)[] = [
    status === undefined ? null : { field: texts.status, value: words.common.states[status], names: ["status"] },
    includeDeleted === undefined ? null : { field: texts.deleted, value: texts.shown, names: ["includeDeleted"] },
    customerId === undefined
      ? null
      : { field: texts.customer, value: customerName ?? customerId, names: ["customerId"] },
    chipOfRange(texts.created, texts, day, createdAfter, createdBefore, ["createdAfter", "createdBefore"]),
    chipOfRange(texts.total, texts, formats.number, minTotal, maxTotal, ["minTotal", "maxTotal"]),
    currency === undefined ? null : { field: texts.currency, value: currency, names: ["currency"] },
  ];
  return chips.filter((chip) => chip !== null);
}

function chipOfRange<T>(
  field: string,
  texts: Words["budgets"]["chips"],
  show: (value: T) => string,
  from: T | undefined,
  to: T | undefined,
  names: FilterChip["names"],
): FilterChip | null {
  if (from !== undefined && to !== undefined) return { field, value: texts.between(show(from), show(to)), names };
  if (from !== undefined) return { field, value: texts.from(show(from)), names };
  return to === undefined ? null : { field, value: texts.to(show(to)), names };
}

/** A day of the calendar is the same in every time zone. */
function formatDay(day: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );
}
