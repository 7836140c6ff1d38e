import type { DomainEvent } from "./events/event.js";
import type { ContextFor, HostConnection } from "./kernel/host-connection.js";
import type { IdSource } from "./kernel/ids.js";
import type { StoreWithin } from "./store.js";

/** What differs between a call that commits by itself and one in a transaction of the host. */
export interface Place {
  readonly store: StoreWithin;
  readonly ids: IdSource;
  /** Told of what was written. */
  announce(events: readonly DomainEvent[]): void;
}

/** Makes the contexts of a domain: one for `ours`, and one more for each call in a transaction of the host. */
export function contextsOver(ours: Place, placeOf: (connection: HostConnection) => Place) {
  return <Context>(make: (place: Place) => Context): ContextFor<Context> => {
    const own = make(ours);
    return (options) => (options?.connection === undefined ? own : make(placeOf(options.connection)));
  };
}
