import type { BudgetStatus } from "./budgets/budget.js";
import type { ChangeRequestView } from "./budgets/sharing/request-change.js";
import type { TruncatedData } from "./catalog/catalog-event.js";
import type { CustomerView } from "./catalog/manage-customers.js";
import type { ProductView } from "./catalog/manage-products.js";
import type { EventType, StoredEvent } from "./events/event.js";
import type { EventHandler, EventListeners } from "./events/event-listeners.js";

/** The data of a budget's event: the budget right after the change, in short. */
export type BudgetEventData = {
  /** Id of the record. */
  readonly id: string;
  /** Id of the customer, assigned by the service or by the host. */
  readonly customerId: string;
  /** In the currency's major unit, tax included. */
  readonly total: number;
  /** An ISO 4217 code. */
  readonly currency: string;
  /** After the change. */
  readonly status: BudgetStatus;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  /** The name and the email are null for a customer who is not in the catalog. */
  readonly customer: {
    /** Id of the record. */
    readonly id: string;
    /** Null = not in the catalog. */
    readonly name: string | null;
    /** Email address; null = none. */
    readonly email: string | null;
  };
};

/** The data of a budget's event, with what the customer asked to change. */
type ChangeRequestedData = BudgetEventData & {
  /** The request. */
  readonly changeRequest: ChangeRequestView;
};

/** The data of the event of a deleted record. */
export type DeletedEventData = {
  /** Id of the record. */
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly deletedAt: string;
};

/** A whole record, or its names where the record is large: then read it by its id. */
type CreatedEventData<View> =
  | (Readonly<View> & {
      /** Absent: this is the whole record. */
      readonly truncated?: never;
    })
  | TruncatedData;

/** A whole record with the former values of its changed fields, or its names where the record is large. */
type UpdatedEventData<View> =
  | (Readonly<View> & {
      /** The former values of the changed fields. */
      readonly previous: Readonly<Partial<View>>;
      /** Absent: this is the whole record. */
      readonly truncated?: never;
    })
  | TruncatedData;

/** The data of each event. */
export interface EventDataByType {
  /** A budget was created. */
  readonly "budget.created": BudgetEventData;
  /** A budget was changed. */
  readonly "budget.updated": BudgetEventData;
  /** A budget was approved. */
  readonly "budget.approved": BudgetEventData;
  /** A budget was rejected. */
  readonly "budget.rejected": BudgetEventData;
  /** A budget has passed its validity. */
  readonly "budget.expired": BudgetEventData;
  /** A budget was deleted. */
  readonly "budget.deleted": BudgetEventData;
  /** The customer opened the page of a budget for the first time. */
  readonly "budget.viewed": BudgetEventData;
  /** The customer asked for a change of a budget. */
  readonly "budget.change_requested": ChangeRequestedData;
  /** A customer was created. */
  readonly "customer.created": CreatedEventData<CustomerView>;
  /** A customer was changed. */
  readonly "customer.updated": UpdatedEventData<CustomerView>;
  /** A customer was deleted. */
  readonly "customer.deleted": DeletedEventData;
  /** A product was created. */
  readonly "product.created": CreatedEventData<ProductView>;
  /** A product was changed. */
  readonly "product.updated": UpdatedEventData<ProductView>;
  /** A product was deleted. */
  readonly "product.deleted": DeletedEventData;
}

/** A committed event with the data of its type; `"*"` = any event, whose `type` decides the type of its `data`. */
export type ServiceEvent<Type extends EventType | "*" = "*"> = {
  [Each in EventType]: Omit<StoredEvent, "type" | "data"> & {
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
