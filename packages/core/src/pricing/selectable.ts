/** What decides whether a line counts. */
export interface Selectable {
  readonly optional?: boolean | undefined; // true = the customer may select it
  readonly choice?: string | undefined; // key of the choice that it belongs to; absent = none
  readonly selected?: boolean | undefined; // of an optional line or one of a choice; absent = no
}

/** Whether the customer decides if the line counts. */
export function isSelectable({ optional, choice }: Selectable): boolean {
  return optional === true || choice !== undefined;
}

/** Whether the line has figures: it is fixed, or selected. */
export function isCounted(line: Selectable): boolean {
  return line.selected === true || !isSelectable(line);
}

/** Sets the amounts of the other lines to 0. Returns `amounts`, which have the indexes of the lines. */
export function keepCounted(lines: readonly Selectable[], amounts: Float64Array): Float64Array {
  let index = 0;
  for (const line of lines) {
    if (!isCounted(line)) amounts[index] = 0;
    index += 1;
  }
  return amounts;
}
