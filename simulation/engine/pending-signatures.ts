let pending = 0;

/** How many calls the threads of the crypto library still work on. Nothing else runs outside of the scheduler. */
export function pendingSignatures(): number {
  return pending;
}

/** Counts the calls that `crypto.subtle` has not answered yet. */
export function countSignatures(): void {
  const { subtle } = globalThis.crypto;
  for (const name of ["sign", "verify", "importKey", "digest"] as const) {
    const method: unknown = Reflect.get(subtle, name);
    if (typeof method !== "function") continue;
    const counted = async (...args: unknown[]): Promise<unknown> => {
      pending += 1;
      try {
        return await Reflect.apply(method, subtle, args);
      } finally {
        pending -= 1;
      }
    };
    Object.defineProperty(subtle, name, { value: counted, configurable: true });
  }
}
