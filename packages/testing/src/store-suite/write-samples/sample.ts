import type { Refusal, StorageUse, Store, StoreCommit } from "@budgetkit/core/store";

/** What a store does with a commit; `"rejected"` = it rejects, as for an id that is taken. */
type Outcome = "written" | "rejected" | Refusal;

/** What a commit may have beside its write: a store needs to write only what the operations of core combine. */
type Beside = "events" | "audit" | "completes" | "quota";

/** A write of business 1 with all that a store promises of it. `writes.ts` and others have the cases over all samples. */
export interface WriteSample {
  readonly name: string;
  readonly beside: readonly Beside[];
  /** Stores what the write needs, without events and idempotency keys. */
  prepare(store: Store): Promise<void>;
  /** The write, in a commit of nothing beside it. A record with room for a text has the mark. */
  commit(mark: string): StoreCommit;
  /** What the reads show of the record. */
  read(store: Store): Promise<unknown>;
  /** What `read` gives once the write with this mark is committed. */
  after(mark: string): unknown;
  /** Rows and bytes that count for the quota. */
  adds(mark: string): Partial<StorageUse>;
  /** The outcome of the same write after the first. */
  readonly again: Outcome;
  /** True = callers at once with one id may all be rejected: the ids are drawn, so that no two callers have the same. */
  readonly mayRejectAll?: boolean;
  /** Commits that are refused once `prepare` is done, by what is wrong with them. */
  readonly refusals: Readonly<Record<string, readonly [commit: StoreCommit, outcome: Outcome]>>;
  /** The outcome of the same commit in business 2, which has no records. */
  readonly elsewhere: Outcome;
  /** The ids in the commit, that of the business too, for which any other leads to the outcome `elsewhere`. */
  readonly ids: readonly string[];
}

const MOST: Pick<WriteSample, "beside" | "prepare" | "adds" | "refusals" | "ids"> = {
  beside: [],
  prepare: stores(),
  adds: () => ({}),
  refusals: {},
  ids: [],
};

type Omittable = keyof typeof MOST;

/** A sample. Left out: it has nothing beside it, needs nothing stored, counts nothing, has no refusals of its own, and adds its record. */
export function aWrite(sample: Omit<WriteSample, Omittable> & Partial<Pick<WriteSample, Omittable>>): WriteSample {
  return { ...MOST, ...sample };
}

/** Stores these commits one after the other. */
export function stores(...commits: readonly StoreCommit[]): (store: Store) => Promise<void> {
  return async (store) => {
    for (const commit of commits) {
      const committed = await store.commit(commit);
      if (committed.kind === "refused") throw new Error(`a preparation was refused: ${JSON.stringify(committed.by)}`);
    }
  };
}

/** The commit with another id in place of one, wherever that stands. */
export function renamed(commit: StoreCommit, from: string, to: string): StoreCommit {
  const replaced = (_name: string, value: unknown): unknown => {
    if (value === Number.POSITIVE_INFINITY) return Number.MAX_SAFE_INTEGER; // JSON has no infinite limit
    return value === from ? to : value;
  };
  const moved: StoreCommit = JSON.parse(JSON.stringify(commit, replaced));
  return moved;
}

/** The commit in business 2, with emails and digests of its own: these are unique among all businesses. */
export function inBusiness2(commit: StoreCommit): StoreCommit {
  const replaced = (_name: string, value: unknown): unknown => {
    if (value === Number.POSITIVE_INFINITY) return Number.MAX_SAFE_INTEGER;
    if (value === "1" || value === "1001") return value === "1" ? "2" : "1002";
    return typeof value === "string" && /@|^hash-of-key/.test(value) ? `${value} of 2` : value;
  };
  const copy: StoreCommit = JSON.parse(JSON.stringify(commit, replaced));
  return copy;
}

export function bytesOf(...documents: readonly object[]): number {
  return documents.reduce((sum, document) => sum + Buffer.byteLength(JSON.stringify(document)), 0);
}

/** The record of an id among the entries of a page. */
export async function listed(page: Promise<{ readonly entries: readonly { readonly id: string }[] }>, id: string) {
  return (await page).entries.filter((entry) => entry.id === id);
}
