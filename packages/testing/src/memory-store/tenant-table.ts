import { IdTaken } from "@budgetkit/core/store";

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

  /** Saves a new row. Throws IdTaken when the id exists. */
  add(businessId: string, id: string, row: Row): void {
    this.assertFree(businessId, id);
    this.save(businessId, id, row);
  }

  /** Throws IdTaken when the id exists. */
  assertFree(businessId: string, id: string): void {
    if (this.find(businessId, id) !== null) throw new IdTaken(`duplicate id ${id} in business ${businessId}`);
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

const frozen = new WeakSet<object>(); // copies that were made here: a row that keeps a part of another shares it

/** A deep, frozen copy of plain values. */
export function frozenCopy<Row>(row: Row): Row {
  return copied(row) as Row;
}

function copied(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return typeof value === "function" ? structuredClone(value) : value;
  if (frozen.has(value)) return value;
  const copy = copyOf(value);
  frozen.add(copy);
  return Object.freeze(copy);
}

function copyOf(value: object): object {
  if (Array.isArray(value)) return value.map(copied);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copied(part)]));
}
