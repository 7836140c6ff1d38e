import { idToWrite } from "@budgetkit/store-kit";
import type { Call } from "../engine/batch-codec.js";
import type { Connection } from "../engine/connection.js";
import { EVENT_COMMITS, type EventRow } from "../events/event-functions.js";
import { auditRows, eventRows } from "../events/events.js";
import type { CommitParts, SendCommit } from "./commit-parts.js";

export function auditCalls(connection: Connection) {
  const call = connection.commits(EVENT_COMMITS);
  return {
    /** A commit without writes. */
    entries(parts: CommitParts): SendCommit {
      const business = idToWrite(parts.businessId);
      const audit = auditRows(parts.take("audit"));
      return () => call("record_audit", business, { audit });
    },
  };
}

/** Takes the events of a commit, with the plan of each. */
export function takeEvents(parts: CommitParts, { clock }: Connection): readonly EventRow[] {
  return eventRows(parts.take("events"), parts.plan, clock);
}

/**
 * The planned deliveries whose bodies the commit reports: those that this process sends, and the first, which shows whether
 * the plan held. Others are not worth their transfer.
 */
export function plannedIn({ plan }: CommitParts): Pick<Call, "planned"> {
  if (plan === null || plan.deliveries.length === 0) return {};
  const reported = plan.deliveries.filter(({ lease }, index) => lease !== null || index === 0);
  return { planned: reported.map(({ id }) => idToWrite(id)) };
}

export function bytesOf(...documents: readonly string[]): number {
  return documents.reduce((sum, document) => sum + Buffer.byteLength(document), 0);
}

export function documentsOf(rows: readonly EventRow[]): readonly string[] {
  return rows.map(({ document }) => document);
}
