/**
 * Rows of one kind, by business and id. A row is copied and frozen on its way in, so that neither who wrote it nor
 * who reads it can alter what is stored.
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

  /** Saves a row whose id must be new; throws an Error otherwise, as a primary key would. */
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

/** A copy that nobody can alter. */
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
