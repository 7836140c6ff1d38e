import type { LedgerStore } from "@budgetkit/core/store";
import { asBeginning, asId, asInteger, asList, asText, idToFind, orNull } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";

export function postgresLedger(connection: Connection): LedgerStore {
  const findBounds = connection.value("SELECT @ledger_bounds($1)");
  const findAged = connection.value("SELECT to_json(@aged_ledgers($1, $2, $3::bigint[]))");

  const findUnsigned = connection.rows(
    "SELECT business_id FROM @ledger_beginnings WHERE statement IS NULL ORDER BY business_id LIMIT $1",
  );
  const sign = connection.value(
    `UPDATE @ledger_beginnings SET statement = $1 WHERE business_id = $2 AND sequence = $3 AND statement IS NOT DISTINCT FROM $4
     RETURNING business_id`,
  );

  return {
    findLedgerBounds: async (businessId) => {
      const [start = null, head = null, waiting = null, beginning = null] = asList(
        await findBounds(idToFind(businessId)),
      );
      const [sequence, hash] = orNull(head, asList) ?? [0, null];
      return {
        start: orNull(start, asStart),
        beginning: orNull(beginning, (found) => asBeginning(asList(found))),
        head: { sequence: asInteger(sequence), hash: orNull(hash, asText) },
        waiting: orNull(waiting, asInteger),
      };
    },

    findAgedLedgers: async (before, limit, without) =>
      asList(await findAged(before, limit, without.map(idToFind))).map(asId),

    pruneLedger: ledgerPruner(connection),

    findUnsignedBeginnings: async (limit) => (await findUnsigned(limit)).map(([id]) => asId(id)),

    // Repeated after its answer was lost, it finds its own statement and gives false.
    signBeginning: async (businessId, sequence, statement, former) =>
      (await sign(statement, idToFind(businessId), sequence, former)) !== undefined,
  };
}

function asStart(start: unknown) {
  const [sequence, hash, checkpoint] = asList(start);
  return { sequence: asInteger(sequence), hash: orNull(hash, asText), checkpoint: asText(checkpoint) };
}

function ledgerPruner({ statements, write }: Connection): LedgerStore["pruneLedger"] {
  const findFormer = statements.value("SELECT sequence FROM @ledger_starts WHERE business_id = $1");
  const moveStart = statements.write(
    `INSERT INTO @ledger_starts (business_id, sequence, hash, checkpoint) VALUES ($1, $2, $3, $4)
     ON CONFLICT (business_id) DO UPDATE
     SET sequence = excluded.sequence, hash = excluded.hash, checkpoint = excluded.checkpoint`,
  );
  const remove = statements.rows(
    `DELETE FROM @events WHERE business_id = $1 AND sequence > $2 AND sequence <= $3
     RETURNING octet_length(document), split_part(type, '.', 1), subject_id, revision`,
  );
  const keepRevision = statements.insert(
    "@former_revisions",
    { kind: "text", subject_id: "text", revision: "bigint" },
    "ON CONFLICT (business_id, kind, subject_id) DO UPDATE SET revision = greatest(stored.revision, excluded.revision)",
  );

  return (businessId, { sequence, hash, checkpoint }, former) =>
    write(idToFind(businessId), "all", async (open) => {
      if (asInteger((await findFormer(open)) ?? 0) !== former) return 0;
      const removed = await remove(open, former, sequence);
      moveStart(open, sequence, hash, checkpoint);
      const last = new Map<string, readonly [kind: string, subject: string, revision: number]>();
      for (const [bytes, kind, subject, revision] of removed) {
        const key = `${asText(kind)} ${asText(subject)}`;
        const former = last.get(key)?.[2] ?? 0;
        last.set(key, [asText(kind), asText(subject), Math.max(former, asInteger(revision))]);
        open.count({ documentBytes: -asInteger(bytes) });
      }
      for (const revision of last.values()) keepRevision(open, ...revision);
      return removed.length;
    });
}
