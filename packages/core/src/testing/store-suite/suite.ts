import type { Store } from "../../store.js";

/** The two functions that the suite needs of a test runner; those of vitest, jest and node:test all fit. */
export interface SuiteRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** An empty store of its own for one case. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Lets go of everything, files included; it is called once, after the case. Left out: the store is closed. */
  close?(): Promise<void>;
  /** Opens another store on the same data; it is called after the store was closed. Left out: nothing persists. */
  reopen?(): Promise<Store>;
}

export type MakeStore = () => Promise<StoreUnderTest>;

/** What the files of the suite write their cases with. */
export interface Suite {
  describe(name: string, body: () => void): void;
  /** A case on a migrated store of its own. */
  it(name: string, body: (store: Store) => Promise<void>): void;
  /** A case that runs only where data outlive the store: `reopen` closes it and opens another on the same data. */
  itDurably(name: string, body: (store: Store, reopen: () => Promise<Store>) => Promise<void>): void;
}

export function suiteOn(runner: SuiteRunner, makeStore: MakeStore): Suite {
  const onFreshStore = async (body: (underTest: StoreUnderTest) => Promise<void>): Promise<void> => {
    const underTest = await makeStore();
    try {
      await underTest.store.migrate();
      await body(underTest);
    } finally {
      await (underTest.close === undefined ? underTest.store.close() : underTest.close());
    }
  };
  return {
    describe: (name, body) => void runner.describe(name, body),
    it: (name, body) => void runner.it(name, () => onFreshStore(({ store }) => body(store))),
    itDurably: (name, body) =>
      void runner.it(name, () =>
        onFreshStore(async (underTest) => {
          if (underTest.reopen === undefined) return;
          await body(underTest.store, reopening(underTest));
        }),
      ),
  };
}

function reopening(underTest: StoreUnderTest): () => Promise<Store> {
  let current = underTest.store;
  return async () => {
    await current.close();
    current = (await underTest.reopen?.()) ?? current;
    await current.migrate();
    return current;
  };
}

/** Calls `call` so many times at once and gives what each was answered. */
export function allAtOnce<T>(times: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => call(index)));
}

/** How many of the answers are this one. */
export function countOf<T>(answers: readonly T[], answer: T): number {
  return answers.filter((given) => given === answer).length;
}
