import type { DomainEvent } from "../events/event.js";
import type { Clock } from "../kernel/clock.js";
import type { Rounding } from "../kernel/decimal.js";
import type { IdSource } from "../kernel/ids.js";
import type { CatalogStore } from "./catalog-store.js";

/** What catalog operations work with. */
export interface CatalogContext {
  readonly store: CatalogStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly rounding: Rounding;
  /** Told of events once they are committed: whoever waits for them need not look. */
  announce(events: readonly DomainEvent[]): void;
}
