import type { z } from "zod";
import type { eventSchemas } from "./event-schemas.js";
import { EVENT_TYPES, type EventType, type StoredEvent } from "./events/event.js";
import type { EventHandler, EventListeners } from "./events/event-listeners.js";
import { nearestName } from "./kernel/known-names.js";

type Data<Type extends EventType> = z.infer<(typeof eventSchemas)[Type]["data"]>;

/** A whole record is recognised by what it lacks. */
type Whole<Record> = Record extends { truncated: true }
  ? Record
  : Record & {
      /** Absent: this is the whole record. */
      readonly truncated?: never;
    };

/** The data of each event. */
export type EventDataByType = {
  readonly [Type in keyof typeof eventSchemas]: Type extends `${"customer" | "product"}.${"created" | "updated"}`
    ? Whole<Data<Type>>
    : Data<Type>;
};

export type { BudgetChangedData, BudgetEventData, DeletedEventData } from "./event-schemas.js";

/** A committed event with the data of its type; `"*"` = any event, whose `type` decides the type of its `data`. */
export type ServiceEvent<Type extends EventType | "*" = "*"> = {
  [Each in EventType]: Omit<StoredEvent, "type" | "data"> & {
    /** Name of the event. */
    readonly type: Each;
    /** The payload, as callbacks have it. */
    readonly data: EventDataByType[Each];
  };
}[Type extends EventType ? Type : EventType];

/** Runs after the event is committed. */
export type ServiceEventHandler<Type extends EventType | "*" = "*"> = (event: ServiceEvent<Type>) => unknown;

export interface ServiceEvents {
  /**
   * Calls `handler` after each event of the type is committed, `"*"` for all. A failure of the handler goes to `onError`.
   * The returned function unsubscribes. Throws a RangeError for an event that does not exist.
   */
  on<Type extends EventType | "*">(type: Type, handler: ServiceEventHandler<Type>): () => void;
}

/** The outbox has the data of an event as JSON; here its type follows from the event's. */
export function typedEvents({ on: subscribe }: Pick<EventListeners, "on">): ServiceEvents {
  function on<Type extends EventType | "*">(type: Type, handler: ServiceEventHandler<Type>): () => void;
  function on(type: EventType | "*", handler: EventHandler): () => void {
    checkEventType(type);
    return subscribe(type, handler);
  }
  return { on };
}

/** Programs without types: a handler of an event that does not exist would never run. */
function checkEventType(type: string): void {
  const known: readonly string[] = EVENT_TYPES;
  if (type === "*" || known.includes(type)) return;
  const nearest = nearestName(String(type), known);
  const advice = nearest === null ? `Events: ${known.join(", ")} and *` : `Did you mean "${nearest}"?`;
  throw new RangeError(`service.on has no event "${type}". ${advice}`);
}
