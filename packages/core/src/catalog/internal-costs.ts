import { isDeepStrictEqual } from "node:util";

type View = Readonly<Record<string, unknown>>;

/** What events list in place of the costs of a product or package that have changed. */
export const INTERNAL_FIGURES = "internalFigures";

/** The view of a record without what its units cost the business, as events have it. Most views have no costs. */
export function withoutCosts(view: View): View {
  if (costsOf(view).every((cost) => cost === undefined)) return view;
  const { variants } = view;
  const shown = withoutCost(view);
  return Array.isArray(variants) ? { ...shown, variants: variants.map(withoutCost) } : shown;
}

/** Whether a unit of the product, or of one of its variants, costs the business the same. */
export function haveSameCosts(before: View, after: View): boolean {
  return isDeepStrictEqual(costsOf(before), costsOf(after));
}

/** Of the record itself, then of its variants. */
function costsOf({ unitCost, variants }: View): unknown[] {
  const ofVariants: unknown[] = Array.isArray(variants) ? variants.map(costOf) : [];
  return [unitCost, ...ofVariants];
}

function costOf(variant: View): unknown {
  return variant.unitCost;
}

function withoutCost({ unitCost: _internal, ...shown }: View): View {
  return shown;
}
