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
