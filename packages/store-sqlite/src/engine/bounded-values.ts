/**
 * At most twice `limit` values, by a key, in two generations: when the younger one is full, the older one is dropped. A
 * value that is in use moves to the younger one.
 */
export class BoundedValues<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(private readonly limit: number) {}

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** The value of a key; without one, that of `find`, which is kept unless it is null. */
  getOrFind(key: string, find: () => V | null): V | null {
    const known = this.get(key);
    if (known !== undefined) return known;
    const found = find();
    if (found !== null) this.set(key, found);
    return found;
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.limit) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
