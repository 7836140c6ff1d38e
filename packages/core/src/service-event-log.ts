import type { Result } from "neverthrow";
import type { EventOperations, FollowEvents } from "./events/event-operations.js";
import type { EventBatch, ReadEvents } from "./events/read-events.js";
import type { Actor } from "./kernel/actor.js";
import type { CallOptions } from "./kernel/call.js";
import type { Problem } from "./kernel/problem.js";
import type { ServiceEvent } from "./service-events.js";

/** An event with the data of its type and its number among the events of the business. */
export type LoggedEvent = ServiceEvent;

/** Events in the order of their commits, and the cursor behind them. */
export type LoggedEvents = EventBatch<LoggedEvent>;

/** The event log and the audit trail. */
export interface ServiceEventLog extends Pick<EventOperations, "list"> {
  /**
   * The events after a cursor, in the order of their commits; audit entries are left out. Store the cursor in the
   * transaction that has the effects: each event then has its effect once.
   * Errors: forbidden for an API key or a customer; CURSOR_TOO_OLD, CURSOR_AHEAD.
   */
  read(actor: Actor, input?: ReadEvents, options?: CallOptions): Promise<Result<LoggedEvents, Problem>>;
  /**
   * Yields what {@link ServiceEventLog.read} returns, then waits for further events, until `signal` aborts or the service
   * stops. The iteration throws an `EventsRefused` for a problem. An outage of the store goes to `onError`, and the read
   * is repeated.
   */
  follow(actor: Actor, input?: FollowEvents): AsyncGenerator<LoggedEvents, void, undefined>;
}

/** The log has the data of an event as JSON; here its type follows from the event's. */
export function typedEventLog(operations: EventOperations): ServiceEventLog {
  function read(actor: Actor, input?: ReadEvents, options?: CallOptions): Promise<Result<LoggedEvents, Problem>>;
  function read(actor: Actor, input?: ReadEvents, options?: CallOptions): Promise<Result<EventBatch, Problem>> {
    return operations.read(actor, input, options);
  }
  function follow(actor: Actor, input?: FollowEvents): AsyncGenerator<LoggedEvents, void, undefined>;
  function follow(actor: Actor, input?: FollowEvents): AsyncGenerator<EventBatch, void, undefined> {
    return operations.follow(actor, input);
  }
  return { list: operations.list, read, follow };
}
