import type { BudgetStatus } from "./budgets/budget.js";
import type { TruncatedData } from "./catalog/catalog-event.js";
import type { CustomerView } from "./catalog/manage-customers.js";
import type { ProductView } from "./catalog/manage-products.js";
import type { DomainEvent, EventType } from "./events/event.js";
import type { EventHandler, EventListeners } from "./events/event-listeners.js";

/** The data of a budget's event: the budget right after the change, in short. */
export type BudgetEventData = {
  readonly id: string;
  readonly customerId: string;
  /** In the currency's major unit, tax included. */
  readonly total: number;
  /** An ISO 4217 code. */
  readonly currency: string;
  readonly status: BudgetStatus;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  /** The name and the email are null for a customer who is not in the catalog. */
  readonly customer: { readonly id: string; readonly name: string | null; readonly email: string | null };
};

/** The data of the event of a deleted record. */
export type DeletedEventData = {
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly deletedAt: string;
};

/** A whole record, or its names where the record is large: then read it by its id. */
type CreatedEventData<View> = (Readonly<View> & { readonly truncated?: never }) | TruncatedData;

/** A whole record with the former values of its changed fields, or its names where the record is large. */
type UpdatedEventData<View> =
  | (Readonly<View> & { readonly previous: Readonly<Partial<View>>; readonly truncated?: never })
  | TruncatedData;

/** The data of each event. */
export interface EventDataByType {
  readonly "budget.created": BudgetEventData;
  readonly "budget.updated": BudgetEventData;
  readonly "budget.approved": BudgetEventData;
  readonly "budget.rejected": BudgetEventData;
  readonly "budget.expired": BudgetEventData;
  readonly "budget.deleted": BudgetEventData;
  readonly "customer.created": CreatedEventData<CustomerView>;
  readonly "customer.updated": UpdatedEventData<CustomerView>;
  readonly "customer.deleted": DeletedEventData;
  readonly "product.created": CreatedEventData<ProductView>;
  readonly "product.updated": UpdatedEventData<ProductView>;
  readonly "product.deleted": DeletedEventData;
}

/** A committed event with the data of its type; `"*"` = any event, whose `type` decides the type of its `data`. */
export type ServiceEvent<Type extends EventType | "*" = "*"> = {
  [Each in EventType]: Omit<DomainEvent, "type" | "data"> & {
    readonly type: Each;
    readonly data: EventDataByType[Each];
  };
}[Type extends EventType ? Type : EventType];

/** Runs after the event is committed. */
export type ServiceEventHandler<Type extends EventType | "*" = "*"> = (event: ServiceEvent<Type>) => unknown;

export interface ServiceEvents {
  /**
   * Calls `handler` after each event of the type is committed, `"*"` for all. A failure of the handler goes to `onError`.
   * The returned function unsubscribes.
   */
  on<Type extends EventType | "*">(type: Type, handler: ServiceEventHandler<Type>): () => void;
}

/** The outbox has the data of an event as JSON; here its type follows from the event's. */
export function typedEvents({ on: subscribe }: Pick<EventListeners, "on">): ServiceEvents {
  function on<Type extends EventType | "*">(type: Type, handler: ServiceEventHandler<Type>): () => void;
  function on(type: EventType | "*", handler: EventHandler): () => void {
    return subscribe(type, handler);
  }
  return { on };
}
