import type { DomainEvent } from "./event.js";

/** Removed at the end of the change to commits. */
export type EventToCommit = DomainEvent;
