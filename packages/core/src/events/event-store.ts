import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { EventType, StoredEvent } from "./event.js";

/** What reading the outbox needs of a store. Events are appended by the commits of their domains. */
export interface EventStore {
  /** The events of a business, the highest sequence first; those of one commit are numbered as they were handed in. */
  listEvents(businessId: string, query: EventQuery): Promise<Page<StoredEvent>>;
}

/** null means no such filter; bounds are inclusive. */
export interface EventQuery {
  readonly type: EventType | null;
  readonly subjectId: string | null;
  readonly since: Instant | null;
  readonly until: Instant | null;
  readonly limit: number;
  readonly offset: number;
}
