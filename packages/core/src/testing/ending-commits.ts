import type { Committed } from "../commit/commit.js";
import type { Store, StoreCommit, Write } from "../store.js";

/** The store, in which each commit that writes a fact of this kind ends as `end` says. */
export function endingCommits(
  store: Store,
  kind: Write["kind"],
  end: (commit: StoreCommit) => Promise<Committed>,
): Store {
  const hasKind = ({ writes }: StoreCommit) => writes.some((write) => write.kind === kind);
  return { ...store, commit: (commit) => (hasKind(commit) ? end(commit) : store.commit(commit)) };
}
