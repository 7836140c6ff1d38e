import type { Replay, ReplayStore } from "@budgetkit/core/store";
import { asDocument, asInteger, idToFind, idToWrite, orNull, subscriberToFind } from "@budgetkit/store-kit";
import type { Connection, StoreClock } from "../engine/connection.js";
import { auditOf } from "../events/events.js";
import { deliveryArguments } from "./delivery-rows.js";
import { REPLAY_COMMITS } from "./replay-functions.js";

export function postgresReplays(connection: Connection, clock: StoreClock): ReplayStore {
  const commit = connection.commits(REPLAY_COMMITS);
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

    writeReplay: async (replay, expectedVersion, deliveries, audit = null) => {
      const { businessId, endpointId, version, status } = replay;
      const asKey = expectedVersion === 0 ? idToWrite : idToFind;
      const business_id = asKey(businessId);
      const document = JSON.stringify(replay);
      return commit("write_replay", business_id, {
        replay: { business_id, endpoint_id: asKey(endpointId), version, status, document },
        expectedVersion,
        deliveries: deliveryArguments(deliveries, clock),
        audit: auditOf(audit),
      });
    },

    countUnfinished: async (businessId, subscriber, atMost) =>
      asInteger(await count(...subscriberToFind(businessId, subscriber), atMost)),
  };
}

function asReplay(document: unknown): Replay {
  return asDocument<Replay>(document);
}
