import {
  addUse,
  type Committed,
  type DeliveryPlan,
  type DomainEvent,
  type MadeDelivery,
  plannedDeliveries,
  type StorageUse,
  type StoreCommit,
} from "@budgetkit/core/store";
import { asDocument, idToFind } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";
import { type EncodedEntry, encodedEntry, entryAppender } from "../events/append-entry.js";
import { storageCounter } from "../limits/storage-use.js";
import { deliveryWriter } from "./delivery-moves.js";
import { currentSubscribers } from "./subscribers.js";

const MARK_UNDISPATCHED =
  "INSERT INTO budgetkit_undispatched_events (position, business_id, sequence) VALUES (last_insert_rowid(), ?, ?)";

/** The encoded events and audit entries of a commit. */
export interface OutboxWrite {
  /** The bytes of their documents. */
  readonly bytes: number;
  /**
   * Appends them in the transaction, with the deliveries of the plan if it is for the present subscribers; otherwise the
   * events of a business with subscribers wait for their fan-out. Counts all of it and `added` in one statement.
   */
  append(added: StorageUse): Pick<Extract<Committed, { kind: "written" }>, "made" | "mayWait">;
}

/** Encodes the entries of a commit before its transaction, and the bodies of deliveries within it: they name the place. */
export function outboxWriter(
  connection: Connection,
): (commit: Pick<StoreCommit, "businessId" | "events" | "audit" | "deliveries">) => OutboxWrite {
  const count = storageCounter(connection);
  const append = entryAppender(connection);
  const appendEvents = eventAppender(connection);

  return ({ businessId, events, audit, deliveries: plan }) => {
    const business = idToFind(businessId);
    const [ofEvents, ofAudit] = [events.map(encodedEntry), audit.map(encodedEntry)];
    const bytes = [...ofEvents, ...ofAudit].reduce((sum, entry) => sum + entry.bytes, 0);
    return {
      bytes,
      append: (added) => {
        const { made, mayWait, deliveryBytes } = appendEvents(business, ofEvents, plan);
        for (const entry of ofAudit) append(entry);
        count(business, addUse(added, { documentBytes: bytes, deliveryBytes }));
        return { made: plan === null ? null : made, mayWait };
      },
    };
  };
}

interface Appended {
  readonly made: readonly MadeDelivery[];
  readonly mayWait: boolean;
  readonly deliveryBytes: number;
}

/** Appends events as part of a transaction. The subscribers are the same for all of them. */
function eventAppender(
  connection: Connection,
): (business: number, events: readonly EncodedEntry[], plan: DeliveryPlan | null) => Appended {
  const append = entryAppender(connection);
  const subscribers = currentSubscribers(connection);
  const markUndispatched = connection.command(MARK_UNDISPATCHED);
  const prepareDeliveries = deliveryWriter(connection);

  return (business, events, plan) => {
    if (events.length === 0) return { made: [], mayWait: false, deliveryBytes: 0 };
    const isPlanned = plan !== null && plan.subscribers === subscribers.names(business);
    const mayWait = !isPlanned && subscribers.areAny(business);
    const made: MadeDelivery[] = [];
    let deliveryBytes = 0;
    for (const entry of events) {
      const place = append(entry);
      if (mayWait) markUndispatched(business, place.sequence);
      if (!isPlanned) continue;
      const deliveries = plannedDeliveries({ ...asDocument<DomainEvent>(entry.text), ...place }, plan);
      const addDeliveries = prepareDeliveries(deliveries);
      addDeliveries();
      deliveryBytes += addDeliveries.bytes;
      made.push(...deliveries.map(({ id, body }) => ({ id, body })));
    }
    return { made, mayWait, deliveryBytes };
  };
}
