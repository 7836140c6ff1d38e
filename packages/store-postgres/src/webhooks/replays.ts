import type { Replay, ReplayStore } from "@budgetkit/core/store";
import {
  asDocument,
  asInteger,
  bytesOfDeliveries,
  idToFind,
  idToWrite,
  orNull,
  shareBodies,
  subscriberToFind,
} from "@budgetkit/store-kit";
import type { Connection, StoreClock } from "../commit/connection.js";
import { auditWriter } from "../events/append-entries.js";
import { deliveryAdder, idsToRefuse } from "./add-deliveries.js";

export function postgresReplays(connection: Connection, clock: StoreClock): ReplayStore {
  const find = connection.lookUp({
    key: { business: "bigint", endpoint: "bigint" },
    row: "SELECT document FROM @replays WHERE business_id = key.business AND endpoint_id = key.endpoint",
  });
  const findRunning = connection.rows(
    `SELECT document FROM @replays WHERE status = 'running' AND (business_id, endpoint_id) > ($1, $2)
     ORDER BY business_id, endpoint_id LIMIT $3`,
  );
  const count = connection.value(
    `SELECT count(*) FROM (
       SELECT FROM @delivery_queue WHERE business_id = $1 AND subscriber_kind = $2 AND subscriber_id = $3 LIMIT $4
     ) AS unfinished`,
  );

  return {
    findReplay: async (businessId, endpointId) => {
      const [row] = await find([[idToFind(businessId), idToFind(endpointId)]]);
      return orNull(row, ([document]) => asReplay(document));
    },

    findRunningReplays: async (after, limit) => {
      const cursor = after === null ? [-1, -1] : [idToFind(after.businessId), idToFind(after.endpointId)];
      return (await findRunning(...cursor, limit)).map(([document]) => asReplay(document));
    },

    writeReplay: replayWriter(connection, clock),

    countUnfinished: async (businessId, subscriber, atMost) =>
      asInteger(await count(...subscriberToFind(businessId, subscriber), atMost)),
  };
}

function asReplay(document: unknown): Replay {
  return asDocument<Replay>(document);
}

function replayWriter({ statements, write }: Connection, clock: StoreClock): ReplayStore["writeReplay"] {
  const insert = statements.value(
    `INSERT INTO @replays (business_id, endpoint_id, version, status, document) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING true`,
  );
  const replace = statements.value(
    `UPDATE @replays SET version = $3, status = $4, document = $5
     WHERE business_id = $1 AND endpoint_id = $2 AND version = $6 RETURNING true`,
  );
  const adder = deliveryAdder(statements, clock);
  const prepareAudit = auditWriter(statements);

  return async (replay, expectedVersion, deliveries, audit = null) => {
    const { businessId, endpointId, version, status } = replay;
    const asKey = expectedVersion === 0 ? idToWrite : idToFind;
    const values = [asKey(endpointId), version, status, JSON.stringify(replay)] as const;
    const bodies = shareBodies(deliveries);
    const ids = idsToRefuse(deliveries);
    const inspectAudit = prepareAudit(audit);
    return write(asKey(businessId), "all", async (open) => {
      const [appendAudit, databaseNow] = await Promise.all([inspectAudit(open), adder.refuseTaken(open, ...ids)]);
      const written = await (expectedVersion === 0
        ? insert(open, ...values)
        : replace(open, ...values, expectedVersion));
      if (written !== true) return "stale";
      adder.add(open, bodies, databaseNow);
      open.count({ deliveryBytes: bytesOfDeliveries(bodies) });
      appendAudit();
      return "written";
    });
  };
}
