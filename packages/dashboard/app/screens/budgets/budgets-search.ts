/** What the address of the screen says, read from text that may have been typed. Names are those of the interface. */
export interface BudgetsSearch {
  /** "expiring": waiting, and over within a week. "collect": won, and not paid in full. */
  readonly view?: BudgetsView;
  readonly status?: BudgetsStatus;
  readonly includeDeleted?: true;
  readonly customerId?: string;
  readonly search?: string;
  readonly minTotal?: number;
  readonly maxTotal?: number;
  readonly createdAfter?: string; // a day: 2026-11-26
  readonly createdBefore?: string;
  readonly currency?: string;
  readonly sort?: BudgetsSort; // absent = createdAt
  readonly order?: "asc"; // absent = desc
}

const VIEWS = ["expiring", "collect"] as const;
type BudgetsView = (typeof VIEWS)[number];

export const STATUSES = [
  "DRAFT",
  "PENDING",
  "APPROVED",
  "REJECTED",
  "EXPIRED",
  "COMPLETED",
  "ARCHIVED",
  "DELETED",
] as const;
type BudgetsStatus = (typeof STATUSES)[number];

const SORTS = ["createdAt", "total", "status"] as const;
export type BudgetsSort = (typeof SORTS)[number];

const LONGEST_SEARCH = 200;
const LONGEST_ID = 100;

/** Leaves out what is not valid, so that a wrong address shows a list instead of an error. */
export function readBudgetsSearch(search: Record<string, unknown>): BudgetsSearch {
  return {
    ...field("view", oneOf(VIEWS, search.view)),
    ...field("status", oneOf(STATUSES, search.status)),
    ...field("includeDeleted", search.includeDeleted === true ? true : undefined),
    ...field("customerId", textOf(search.customerId, LONGEST_ID)),
    ...field("search", textOf(search.search, LONGEST_SEARCH)),
    ...field("minTotal", amountOf(search.minTotal)),
    ...field("maxTotal", amountOf(search.maxTotal)),
    ...field("createdAfter", dayOf(search.createdAfter)),
    ...field("createdBefore", dayOf(search.createdBefore)),
    ...field("currency", currencyOf(search.currency)),
    ...field("sort", oneOf(["total", "status"] as const, search.sort)),
    ...field("order", oneOf(["asc"] as const, search.order)),
  };
}

function field<K extends string, V>(name: K, value: V | undefined): { readonly [key in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]: V });
}

function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((each) => each === value);
}

/** Ids and words of digits alone are numbers in an address. */
function textOf(value: unknown, longest: number): string | undefined {
  const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
  return text === "" ? undefined : text.slice(0, longest);
}

function amountOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function dayOf(value: unknown): string | undefined {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
}

function currencyOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Z]{3}$/.test(value) ? value : undefined;
}
