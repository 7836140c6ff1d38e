/** Fields of the public view that say where the budget stands: they are no part of what is accepted. */
const STATE = [
  "version",
  "status",
  "paid",
  "balance",
  "dueToConfirm",
  "acceptance",
  "approval",
  "availableActions",
  "publicUrl",
  "hash",
  "evidenceUrl",
  "changeRequest",
  "declined",
  "signature",
  "paymentUrl",
  "messages",
  "revised",
  "acceptedBefore",
] as const;
export type StateField = (typeof STATE)[number];

/** Fields of the business that decide how the page looks. */
const LOOKS = ["accentColor", "locale", "logo", "linkPreview"] as const;
export type LooksField = (typeof LOOKS)[number];

/** Details of the customer that the catalog may correct without another offer. */
const DETAILS = ["address", "taxId"] as const;
export type DetailsField = (typeof DETAILS)[number];

const LEFT_OUT: Readonly<Record<string, readonly string[]>> = { "": STATE, business: LOOKS, customer: DETAILS };

/** The first field in which two contents differ. */
export interface ContentDifference {
  readonly field: string; // such as items[3].unitPrice
  readonly signed: string; // as JSON; "nothing" = absent
  readonly shown: string;
}

/** The first difference between what evidence has and what is shown; null = they are the same. */
export function contentDifference(signed: unknown, shown: unknown, field = ""): ContentDifference | null {
  if (!isComposed(signed) || !isComposed(shown) || Array.isArray(signed) !== Array.isArray(shown)) {
    return signed === shown ? null : { field, signed: shownValue(signed), shown: shownValue(shown) };
  }
  for (const name of namesIn(signed, shown, LEFT_OUT[field] ?? [])) {
    const place = Array.isArray(signed) ? `${field}[${name}]` : field === "" ? name : `${field}.${name}`;
    const found = contentDifference(ownValue(signed, name), ownValue(shown, name), place);
    if (found !== null) return found;
  }
  return null;
}

/** A difference of these follows from one of other fields. */
const SUMS: readonly string[] = ["total", "subtotal", "tax"];

/** In the order of the view, with items before other fields and sums after them. */
function namesIn(signed: object, shown: object, left: readonly string[]): string[] {
  const names = [...Object.keys(shown).filter((name) => !left.includes(name)), ...Object.keys(signed)];
  const rank = (name: string) => (isComposed(ownValue(signed, name)) ? 0 : SUMS.includes(name) ? 2 : 1);
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b));
}

function isComposed(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function ownValue(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

const MAX_SHOWN = 200;

function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
