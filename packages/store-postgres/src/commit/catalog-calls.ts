import type { CatalogKind, RecordWrite } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import { CATALOG_COMMITS } from "../catalog/catalog-functions.js";
import { RECORD_KINDS, recordRow } from "../catalog/record-kinds.js";
import type { Connection } from "../engine/connection.js";
import { auditRows } from "../events/events.js";
import { idempotencyRow } from "../events/idempotency.js";
import type { CommitParts, SendCommit } from "./commit-parts.js";
import { plannedIn, takeEvents } from "./event-calls.js";

export function catalogCalls(connection: Connection) {
  const call = connection.commits(CATALOG_COMMITS);
  return {
    record<K extends CatalogKind>(parts: CommitParts, { kind, record, expected }: RecordWrite<K>): SendCommit {
      const description = RECORD_KINDS[kind];
      const argument = {
        record: recordRow(description, record),
        events: takeEvents(parts, connection),
        completes: idempotencyRow(parts.take("completes")),
        audit: auditRows(parts.take("audit")),
        ...description.ownArgumentsOf(record),
      };
      const { businessId } = record;
      if (expected === "absent") {
        const business = idToWrite(businessId);
        return () => call(`insert_${kind}`, business, argument, plannedIn(parts));
      }
      const replacement = { ...argument, expectedVersion: expected };
      return () => call(`replace_${kind}`, idToFind(businessId), replacement, plannedIn(parts));
    },
  };
}
