import { LRUCache } from "lru-cache";

export interface BusinessCacheLimits<V> {
  readonly total: number; // size of all values
  readonly share: number; // size of the values of one business; a larger value is not cached
  readonly ofBusiness: number; // size of each business that has values, beside them
  sizeOf(value: V): number; // at least 1
}

/**
 * Caches values by business and key. A business that exceeds its share loses the value that it used longest ago, so no
 * business displaces the values of others. Beyond the total, the business that was used longest ago loses one.
 */
export class BusinessCache<V extends {}> {
  /** Bounded by their values. To name a `max` would allocate it at once. */
  readonly #businesses = new LRUCache<string, LRUCache<string, V>>({
    maxSize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: () => 1,
  });
  #size = 0;

  constructor(private readonly limits: BusinessCacheLimits<V>) {}

  get(businessId: string, key: string): V | undefined {
    return this.#businesses.get(businessId)?.get(key);
  }

  set(businessId: string, key: string, value: V): void {
    const { share: maxSize, total, sizeOf: sizeCalculation } = this.limits;
    const known = this.#businesses.get(businessId);
    const values = known ?? new LRUCache<string, V>({ maxSize, sizeCalculation });
    this.#change(businessId, values, () => values.set(key, value));
    while (this.#size > total) this.#dropOldest();
  }

  clear(): void {
    this.#businesses.clear();
    this.#size = 0;
  }

  #dropOldest(): void {
    const [businessId = ""] = this.#businesses.rkeys();
    const values = this.#businesses.peek(businessId);
    if (values !== undefined) this.#change(businessId, values, () => values.pop());
  }

  #change(businessId: string, values: LRUCache<string, V>, change: () => void): void {
    this.#size -= values.calculatedSize;
    change();
    this.#size += values.calculatedSize;
    const isKnown = this.#businesses.has(businessId);
    if (isKnown && values.size === 0) {
      this.#businesses.delete(businessId);
      this.#size -= this.limits.ofBusiness;
    } else if (!isKnown && values.size > 0) {
      this.#businesses.set(businessId, values);
      this.#size += this.limits.ofBusiness;
    }
  }
}
