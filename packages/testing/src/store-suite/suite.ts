import { isDeepStrictEqual } from "node:util";
import type { HostConnection, Store } from "@budgetkit/core/store";

/** The two functions that the suite needs of a test runner; those of vitest, jest and node:test all fit. */
export interface SuiteRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** An empty store for one case. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Whether the store is migrated. Default false: the case migrates it. */
  readonly isMigrated?: boolean;
  /** Lets go of everything, files included; it is called once, after the case. Left out: the store is closed. */
  close?(): Promise<void>;
  /** Opens another store on the same data, after the store was closed. Needed where the store persists. */
  reopen?(): Promise<Store>;
  /** A host on the database of the store. Needed where the store takes part in transactions of a host. */
  readonly host?: HostUnderTest;
}

/** An application with rows of its own in the database of the store. */
export interface HostUnderTest {
  /** Begins a transaction in which the host may write. One at a time. */
  begin(): Promise<HostTransaction>;
  /** Its committed rows, in any order. */
  rows(): Promise<readonly string[]>;
}

export interface HostTransaction {
  readonly connection: HostConnection;
  /** Writes a row of the host's own. */
  write(row: string): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/**
 * Makes a store. `needsOwnDatabase`: the case closes or reopens its store, has a host beside it, or sets the time of its rate
 * limits. A store for another case may be on a database that earlier cases have used, if that is empty again.
 */
export type MakeStore = (needsOwnDatabase: boolean) => Promise<StoreUnderTest>;

export interface SuiteOptions {
  /** Whether data outlive the store; the cases about that are left out otherwise. Default false. */
  readonly persists?: boolean;
  /** Whether the store takes part in transactions of a host; else it has to refuse them. Default false. */
  readonly hostTransactions?: boolean;
}

/** What the files of the suite write their cases with. */
export interface Suite {
  readonly persists: boolean;
  readonly hostTransactions: boolean;
  describe(name: string, body: () => void): void;
  /** A case on a migrated store of its own. */
  it(name: string, body: (store: Store) => Promise<void>): void;
  /** A case whose database no other case has used. */
  itAlone(name: string, body: (store: Store) => Promise<void>): void;
  /** A case that there is only where data outlive the store: `reopen` closes it and opens another on the same data. */
  itDurably(name: string, body: (store: Store, reopen: () => Promise<Store>) => Promise<void>): void;
  /** A case that there is only where the store takes part in transactions of a host. */
  itWithHost(name: string, body: (store: Store, host: HostUnderTest) => Promise<void>): void;
}

export function suiteOn(runner: SuiteRunner, makeStore: MakeStore, options: SuiteOptions): Suite {
  const { persists = false, hostTransactions = false } = options;
  const onFreshStore = async (
    needsOwnDatabase: boolean,
    body: (underTest: StoreUnderTest) => Promise<void>,
  ): Promise<void> => {
    const underTest = await makeStore(needsOwnDatabase);
    try {
      if (underTest.isMigrated !== true) await underTest.store.migrate();
      await body(underTest);
    } finally {
      await (underTest.close === undefined ? underTest.store.close() : underTest.close());
    }
  };
  return {
    persists,
    hostTransactions,
    describe: (name, body) => void runner.describe(name, body),
    it: (name, body) => void runner.it(name, () => onFreshStore(false, ({ store }) => body(store))),
    itAlone: (name, body) => void runner.it(name, () => onFreshStore(true, ({ store }) => body(store))),
    itDurably: (name, body) => {
      if (!persists) return;
      runner.it(name, () => onFreshStore(true, (underTest) => body(underTest.store, reopening(underTest))));
    },
    itWithHost: (name, body) => {
      if (!hostTransactions) return;
      runner.it(name, () => onFreshStore(true, (underTest) => body(underTest.store, hostOf(underTest))));
    },
  };
}

function hostOf({ host }: StoreUnderTest): HostUnderTest {
  if (host === undefined) throw new Error("a store that takes part in transactions of a host is given one");
  return host;
}

function reopening(underTest: StoreUnderTest): () => Promise<Store> {
  let current = underTest.store;
  return async () => {
    if (underTest.reopen === undefined) throw new Error("a store that persists can be opened again");
    await current.close();
    current = await underTest.reopen();
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
  return answers.filter((given) => isDeepStrictEqual(given, answer)).length;
}
