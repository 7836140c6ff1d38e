type Priced<Line> = Extract<Line, { readonly quantity: number }>;

/** The lines of a view that are items. */
export function itemsOf<Line extends { readonly kind?: unknown }>(view: {
  readonly items: readonly Line[];
}): Priced<Line>[] {
  return view.items.filter((line): line is Priced<Line> => line.kind === undefined);
}
