import type { Commit, CommitStore, Refusal } from "@budgetkit/core/store";

/** What a store does with a commit: `"written"`, the number that it has drawn, or why it has written nothing. */
export async function outcomeOf<W, C>(
  store: CommitStore<W, C>,
  commit: Commit<W, C>,
): Promise<"written" | { readonly number: string } | Refusal> {
  const committed = await store.commit(commit);
  if (committed.kind === "refused") return committed.by;
  return committed.number === null ? "written" : { number: committed.number };
}

/** False = the store has refused the commit. */
export async function isWritten<W, C>(store: CommitStore<W, C>, commit: Commit<W, C>): Promise<boolean> {
  return (await store.commit(commit)).kind === "written";
}
