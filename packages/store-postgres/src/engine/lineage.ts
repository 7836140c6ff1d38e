/** Which line of commits the database continues, as this process has seen it. */
export interface Lineage {
  /**
   * Compares with what a call has found: the name of the lineage (null = a standby), and whether the database has lost
   * a reservation of this process.
   */
  note(found: unknown, hasLost?: boolean): void;
  /** The database has lost commits: calls the listeners. */
  lose(): void;
  /** Calls `listener` after each change. Returns a function that removes it. */
  onLostCommits(listener: () => void): () => void;
}

export function createLineage(): Lineage {
  const listeners = new Set<() => void>();
  const lose = (): void => {
    for (const listener of listeners) listener();
  };
  let known: string | null = null; // null = no call has found it

  return {
    note: (found, hasLost = false) => {
      if (typeof found !== "string") return;
      const isOther = known !== null && known !== found;
      known = found;
      if (isOther || hasLost) lose();
    },
    lose,
    onLostCommits: (listener) => {
      const own = () => listener(); // one function may subscribe twice
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
