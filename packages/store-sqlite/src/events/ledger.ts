import type { LedgerStore } from "@budgetkit/core/store";
import { asBeginning, asId, asInteger, asText, idToFind, orNull } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";
import { storageCounter } from "../limits/storage-use.js";
import { SUBJECT_KIND } from "./append-entry.js";

export function sqliteLedger(connection: Connection): LedgerStore {
  const findStart = connection.row(
    "SELECT sequence, hash, checkpoint FROM budgetkit_ledger_starts WHERE business_id = ?",
  );
  const findBeginning = connection.row(
    "SELECT sequence, missing, statement FROM budgetkit_ledger_beginnings WHERE business_id = ?",
  );
  const findHead = connection.row(
    "SELECT last_sequence, last_hash FROM budgetkit_event_counters WHERE business_id = ?",
  );
  const firstWaiting = connection.value(
    "SELECT min(sequence) FROM budgetkit_undispatched_events WHERE business_id = ?",
  );
  const findAged = connection.values(
    `SELECT DISTINCT business_id FROM (
       SELECT business_id FROM budgetkit_events
       WHERE occurred_at < ? AND business_id NOT IN (SELECT value FROM json_each(?))
       ORDER BY occurred_at LIMIT ?
     )`,
  );

  const findUnsigned = connection.values(
    "SELECT business_id FROM budgetkit_ledger_beginnings WHERE statement IS NULL ORDER BY business_id LIMIT ?",
  );
  const sign = connection.command(
    `UPDATE budgetkit_ledger_beginnings SET statement = ? WHERE business_id = ? AND sequence = ? AND statement IS ?`,
  );

  return {
    findLedgerBounds: (businessId) =>
      connection.snapshot(() => {
        const business = idToFind(businessId);
        const [sequence, hash] = findHead(business) ?? [0, null];
        return {
          start: orNull(findStart(business), ([at, link, checkpoint]) => ({
            sequence: asInteger(at),
            hash: orNull(link, asText),
            checkpoint: asText(checkpoint),
          })),
          beginning: orNull(findBeginning(business), asBeginning),
          head: { sequence: asInteger(sequence), hash: orNull(hash, asText) },
          waiting: orNull(firstWaiting(business), asInteger),
        };
      }),

    findAgedLedgers: (before, limit, without) =>
      connection.read(() => findAged(before, JSON.stringify(without.map(idToFind)), limit).map(asId)),

    pruneLedger: ledgerPruner(connection),

    findUnsignedBeginnings: (limit) => connection.read(() => findUnsigned(limit).map(asId)),

    signBeginning: (businessId, sequence, statement, former) =>
      connection.write(() => sign(statement, idToFind(businessId), sequence, former) === 1),
  };
}

function ledgerPruner(connection: Connection): LedgerStore["pruneLedger"] {
  const findFormer = connection.value("SELECT sequence FROM budgetkit_ledger_starts WHERE business_id = ?");
  const moveStart = connection.command(
    `INSERT INTO budgetkit_ledger_starts (business_id, sequence, hash, checkpoint) VALUES (?, ?, ?, ?)
     ON CONFLICT (business_id) DO UPDATE
     SET sequence = excluded.sequence, hash = excluded.hash, checkpoint = excluded.checkpoint`,
  );
  const remove = connection.rows(
    `DELETE FROM budgetkit_events WHERE business_id = ? AND sequence > ? AND sequence <= ?
     RETURNING octet_length(document), ${SUBJECT_KIND}, subject_id, revision`,
  );
  const keepRevision = connection.command(
    `INSERT INTO budgetkit_former_revisions (business_id, kind, subject_id, revision) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET revision = max(revision, excluded.revision)`,
  );
  const count = storageCounter(connection);

  return (businessId, { sequence, hash, checkpoint }, former) =>
    connection.write(() => {
      const business = idToFind(businessId);
      if (asInteger(findFormer(business) ?? 0) !== former) return 0;
      moveStart(business, sequence, hash, checkpoint);
      const removed = remove(business, former, sequence);
      for (const [, kind, subject, revision] of removed) {
        keepRevision(business, asText(kind), asText(subject), asInteger(revision));
      }
      count(business, { documentBytes: -removed.reduce((sum, [bytes]) => sum + asInteger(bytes), 0) });
      return removed.length;
    });
}
