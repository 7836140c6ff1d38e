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
import { asDocument, bytesOfDeliveries, shareBodies } from "@budgetkit/store-kit";
import type { OpenBusiness } from "../commit/open-business.js";
import type { Statements } from "../engine/statements.js";
import { type EncodedEntry, type EntryAppender, encodedEntry, type Revisions } from "../events/append-entries.js";
import type { DeliveryAdder } from "./add-deliveries.js";

type Appended = Pick<Extract<Committed, { kind: "written" }>, "made" | "mayWait">;

/** The encoded events and audit entries of a commit. */
export interface OutboxWrite {
  /** The bytes of their documents. */
  readonly bytes: number;
  read(open: OpenBusiness): Promise<OutboxRead>;
  /**
   * Appends the entries, with the deliveries of the plan if it is for the present subscribers; otherwise the events of a
   * business with subscribers wait for their fan-out. Counts all of it, and `added`.
   */
  append(open: OpenBusiness, read: OutboxRead, added: StorageUse): Appended;
}

/** What the entries of a commit depend on. */
export interface OutboxRead {
  readonly revisions: Revisions;
  readonly databaseNow: number;
}

/** Encodes the entries of a commit before its transaction, and the bodies of deliveries within it: they name the place. */
export function outboxWriter(
  statements: Statements,
  entries: EntryAppender,
  adder: DeliveryAdder,
): (commit: Pick<StoreCommit, "events" | "audit" | "deliveries">) => OutboxWrite {
  const appendEvents = eventAppender(statements, entries, adder);

  return ({ events, audit, deliveries: plan }) => {
    const [ofEvents, ofAudit] = [events.map(encodedEntry), audit.map(encodedEntry)];
    const all = [...ofEvents, ...ofAudit];
    const bytes = all.reduce((sum, entry) => sum + entry.bytes, 0);
    const planned = plan === null ? [] : plan.deliveries.map(({ id }) => id);

    return {
      bytes,
      read: async (open) => {
        const [revisions, databaseNow] = await Promise.all([
          entries.findRevisions(open, all),
          adder.refuseTaken(open, planned),
        ]);
        return { revisions, databaseNow };
      },
      append: (open, read, added) => {
        const { made, mayWait, deliveryBytes } = appendEvents(open, ofEvents, plan, read);
        for (const entry of ofAudit) entries.append(open, entry, read.revisions);
        open.count(addUse(added, { documentBytes: bytes, deliveryBytes }));
        return { made: plan === null ? null : made, mayWait };
      },
    };
  };
}

/** Appends the events of a commit, whose subscribers are the same for all of them. */
function eventAppender(statements: Statements, { append }: EntryAppender, adder: DeliveryAdder) {
  const markUndispatched = statements.insertBy(
    `INSERT INTO @undispatched_events (business_id, sequence, position)
     SELECT $1, sequence, nextval('@event_positions') FROM @given ORDER BY sequence`,
    { sequence: "bigint" },
  );

  return (
    open: OpenBusiness,
    events: readonly EncodedEntry[],
    plan: DeliveryPlan | null,
    { revisions, databaseNow }: OutboxRead,
  ): AppendedEvents => {
    const made: MadeDelivery[] = [];
    if (events.length === 0) return { made, mayWait: false, deliveryBytes: 0 };
    const { subscribers } = open.totals;
    const isPlanned = plan !== null && plan.subscribers === subscribers;
    const mayWait = !isPlanned && subscribers !== "";
    let deliveryBytes = 0;
    for (const entry of events) {
      const place = append(open, entry, revisions);
      if (mayWait) markUndispatched(open, place.sequence);
      if (!isPlanned) continue;
      const deliveries = plannedDeliveries({ ...asDocument<DomainEvent>(entry.text), ...place }, plan);
      const bodies = shareBodies(deliveries);
      adder.add(open, bodies, databaseNow);
      deliveryBytes += bytesOfDeliveries(bodies);
      made.push(...deliveries.map(({ id, body }) => ({ id, body })));
    }
    return { made, mayWait, deliveryBytes };
  };
}

interface AppendedEvents {
  readonly made: readonly MadeDelivery[];
  readonly mayWait: boolean;
  readonly deliveryBytes: number;
}
