/** What the list can show beside number and customer, in order. */
export const COLUMNS = ["status", "total", "paid", "open", "validUntil", "views", "createdAt", "updatedAt"] as const;
export type Column = (typeof COLUMNS)[number];

const DEFAULT: readonly Column[] = ["status", "total", "paid", "validUntil", "views", "updatedAt"];
const KEPT = "budgetkit budget columns";

export function readColumns(storage: Pick<Storage, "getItem"> = localStorage): readonly Column[] {
  const kept = storage.getItem(KEPT)?.split(" ");
  return kept === undefined ? DEFAULT : COLUMNS.filter((column) => kept.includes(column));
}

export function keepColumns(columns: readonly Column[], storage: Pick<Storage, "setItem"> = localStorage): void {
  storage.setItem(KEPT, columns.join(" "));
}

/** The same columns with one more, or with one less. */
export function toggleColumn(columns: readonly Column[], toggled: Column): readonly Column[] {
  return COLUMNS.filter((column) => (column === toggled ? !columns.includes(column) : columns.includes(column)));
}
