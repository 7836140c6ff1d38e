/**
 * Rows of one kind, by business and id. Each stored row is a frozen copy, so that neither writers nor readers can change
 * it.
 */
export class TenantTable<Row> {
  readonly #businesses = new Map<string, Map<string, Row>>();

  find(businessId: string, id: string): Row | null {
    return this.#businesses.get(businessId)?.get(id) ?? null;
  }

  save(businessId: string, id: string, row: Row): void {
    const rows = this.#businesses.get(businessId) ?? new Map<string, Row>();
    this.#businesses.set(businessId, rows.set(id, frozenCopy(row)));
  }

  /** Saves a new row. Throws an Error when the id exists. */
  add(businessId: string, id: string, row: Row): void {
    if (this.find(businessId, id) !== null) throw new Error(`duplicate id ${id} in business ${businessId}`);
    this.save(businessId, id, row);
  }

  remove(businessId: string, id: string): void {
    this.#businesses.get(businessId)?.delete(id);
  }

  of(businessId: string): Row[] {
    return [...(this.#businesses.get(businessId)?.values() ?? [])];
  }

  /** The rows of all businesses. */
  all(): Row[] {
    return [...this.#businesses.values()].flatMap((rows) => [...rows.values()]);
  }
}

/** A deep, frozen copy. */
export function frozenCopy<Row>(row: Row): Row {
  const copy = structuredClone(row);
  freezeDeep(copy);
  return copy;
}

function freezeDeep(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freezeDeep(part);
}
