import type { CommitStore } from "../commit/commit.js";
import { createRunCommit } from "../commit/run-commit.js";
import type { DomainEvent } from "../events/event.js";
import type { Condition, Write } from "../store.js";

/** Commits on a store as a service does, without planned deliveries. `announce` receives the events of each commit. */
export function commitOn(
  store: CommitStore<Write, Condition>,
  announce: (events: readonly DomainEvent[]) => void = () => {},
) {
  return createRunCommit({ store, planDeliveries: async () => null, announce });
}
