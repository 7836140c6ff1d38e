import type { Replay, ReplayStore } from "@budgetkit/core/store";
import { asDocument, asInteger, idToFind, idToWrite, subscriberToFind } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";
import { auditWriter } from "../events/append-entry.js";
import { storageCounter } from "../limits/storage-use.js";
import { deliveryWriter } from "./delivery-moves.js";

export function sqliteReplays(connection: Connection): ReplayStore {
  const find = connection.value("SELECT document FROM budgetkit_replays WHERE business_id = ? AND endpoint_id = ?");
  const findRunning = connection.values(
    `SELECT document FROM budgetkit_replays WHERE status = 'running' AND (business_id, endpoint_id) > (?, ?)
     ORDER BY business_id, endpoint_id LIMIT ?`,
  );
  const insert = connection.command(
    `INSERT INTO budgetkit_replays (version, status, document, business_id, endpoint_id) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const replace = connection.command(
    `UPDATE budgetkit_replays SET version = ?, status = ?, document = ?
     WHERE business_id = ? AND endpoint_id = ? AND version = ?`,
  );
  const countQueue = connection.value(
    `SELECT count(*) FROM (
       SELECT 1 FROM budgetkit_delivery_queue
       WHERE business_id = ? AND subscriber_kind = ? AND subscriber_id = ? LIMIT ?
     )`,
  );
  const count = storageCounter(connection);
  const prepareDeliveries = deliveryWriter(connection);
  const writeAudit = auditWriter(connection);

  return {
    findReplay: (businessId, endpointId) =>
      connection.read(() => {
        const document = find(idToFind(businessId), idToFind(endpointId));
        return document === undefined ? null : asReplay(document);
      }),

    findRunningReplays: (after, limit) =>
      connection.read(() => {
        const cursor = after === null ? [-1, -1] : [idToFind(after.businessId), idToFind(after.endpointId)];
        return findRunning(...cursor, limit).map(asReplay);
      }),

    writeReplay: async (replay, expectedVersion, deliveries, audit = null) => {
      const { version, status, businessId, endpointId } = replay;
      const asKey = expectedVersion === 0 ? idToWrite : idToFind;
      const values = [version, status, JSON.stringify(replay), asKey(businessId), asKey(endpointId)] as const;
      const addDeliveries = prepareDeliveries(deliveries);
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        const written = expectedVersion === 0 ? insert(...values) : replace(...values, expectedVersion);
        if (written === 0) return "stale";
        addDeliveries();
        count(idToFind(businessId), { deliveryBytes: addDeliveries.bytes });
        appendAudit();
        return "written";
      });
    },

    countUnfinished: (businessId, subscriber, atMost) =>
      connection.read(() => asInteger(countQueue(...subscriberToFind(businessId, subscriber), atMost))),
  };
}

function asReplay(document: unknown): Replay {
  return asDocument<Replay>(document);
}
