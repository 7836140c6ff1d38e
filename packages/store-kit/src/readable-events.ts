import { createHash } from "node:crypto";
import type { DomainEvent, StoredEvent, UnreadableReport } from "@budgetkit/core/store";
import { mapInTurns } from "@budgetkit/core/store";
import { asPlace } from "./record-rows.js";
import { asDocument, asText, type Row } from "./row-values.js";

/** Events of all businesses. One that cannot be read is reported and left out. Default: the call rejects. */
export async function asReadableEvents(
  rows: readonly Row[],
  onUnreadable: UnreadableReport = rejectUnreadable,
): Promise<StoredEvent[]> {
  const nameOf = rowNames();
  const read = (row: Row) => {
    try {
      return [asStoredEvent(row)];
    } catch (cause) {
      onUnreadable(new Error(UNREADABLE, { cause }), nameOf(row));
      return [];
    }
  };
  return (await mapInTurns(rows, read, ([, , document]) => String(document).length)).flat();
}

const UNREADABLE = "an event that waits for its fan-out cannot be read: budgetkit doctor --ledger names its business";

function rejectUnreadable(error: unknown): never {
  throw error;
}

/** Names rows by what they hold, and equal rows by their place among them: not every row has its business. */
function rowNames(): (row: Row) => string {
  const equals = new Map<string, number>();
  return (row) => {
    const content = createHash("sha256").update(row.map(String).join(" ")).digest("base64");
    const place = (equals.get(content) ?? 0) + 1;
    equals.set(content, place);
    return `${content} ${place}`;
  };
}

/** The columns `sequence`, `revision`, `document`; further ones are ignored. */
function asStoredEvent([sequence, revision, document]: Row): StoredEvent {
  const event = asDocument<DomainEvent>(document);
  asText(event.businessId);
  asText(event.type);
  return { ...event, ...asPlace([sequence, revision]) };
}
