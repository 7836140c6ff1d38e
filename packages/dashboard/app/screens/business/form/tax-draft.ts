import type { NamedTax } from "@budgetkit/client";

/** A tax as it is typed: the rate in percent. */
export interface TaxDraft extends Omit<NamedTax, "rate"> {
  readonly rate: string;
}

export type TaxFault = "id" | "idTaken" | "rate";

export const NEW_TAX: TaxDraft = {
  id: "",
  name: "",
  rate: "",
  kind: "tax",
  inclusive: false,
  on: [],
  default: true,
};

const ID = /^[A-Za-z0-9._-]{1,40}$/;

export function draftOf(tax: NamedTax): TaxDraft {
  return { ...tax, rate: String(percentOf(tax.rate)) };
}

/** 0.105 = 10.5, without the dust of binary fractions. */
function percentOf(rate: number): number {
  return Number((rate * 100).toFixed(6));
}

/** The fraction of a percentage, with a point or a comma; null = it is none from 0 to 100. */
export function rateOf(text: string): number | null {
  const plain = text.trim().replace("%", "").trim().replace(",", ".");
  if (!/^\d{1,3}(\.\d{1,6})?$/.test(plain)) return null;
  const rate = Number((Number(plain) / 100).toFixed(8));
  return rate > 1 ? null : rate;
}

/** "IVA 21 %" = "iva-21"; empty where the name has no letter or digit that an id may have. */
function idFromName(name: string): string {
  const plain = name
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
  return plain
    .replace(/[^a-z0-9.]+/g, "-")
    .slice(0, 40)
    .replace(/^-|-$/g, "");
}

/** The tax of a draft, or what is wrong with it. `formerId` is that of the tax which is edited; null = a new one. */
export function taxOf(
  draft: TaxDraft,
  taxes: readonly NamedTax[],
  formerId: string | null,
): { readonly tax: NamedTax } | { readonly fault: TaxFault } {
  const id = draft.id.trim() === "" ? idFromName(draft.name) : draft.id.trim();
  if (!ID.test(id)) return { fault: "id" };
  if (id !== formerId && taxes.some((tax) => tax.id === id)) return { fault: "idTaken" };
  const rate = rateOf(draft.rate);
  if (rate === null) return { fault: "rate" };
  return { tax: { ...draft, id, rate, name: draft.name.trim() === "" ? id : draft.name.trim() } };
}

/** The list with the tax in place of the former one, or at its end. Others that name it follow a new id. */
export function withTax(taxes: readonly NamedTax[], tax: NamedTax, formerId: string | null): readonly NamedTax[] {
  if (formerId === null) return [...taxes, tax];
  return taxes.map((each) =>
    each.id === formerId ? tax : { ...each, on: each.on.map((id) => (id === formerId ? tax.id : id)) },
  );
}

/** The list without the tax, also in what the others' base contains. */
export function withoutTax(taxes: readonly NamedTax[], id: string): readonly NamedTax[] {
  return taxes.filter((tax) => tax.id !== id).map((tax) => ({ ...tax, on: tax.on.filter((other) => other !== id) }));
}
