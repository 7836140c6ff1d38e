import type { EndpointStore, WebhookEndpoint } from "@budgetkit/core/store";
import { asDocument, asInteger, asKey, idToFind, orNull } from "@budgetkit/store-kit";
import { pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";

export function postgresEndpoints(connection: Connection): EndpointStore {
  const find = connection.lookUp({
    key: { business: "bigint", id: "bigint" },
    row: "SELECT document FROM @endpoints WHERE business_id = key.business AND id = key.id",
  });
  const findSubscribers = connection.rows(
    `SELECT 'endpoint' AS kind, id, document, NULL AS last_used_at FROM @endpoints
     WHERE business_id = $1 AND status = 'ACTIVE'
     UNION ALL
     SELECT 'key', id, document, last_used_at FROM @keys
     WHERE business_id = $1 AND status = 'ACTIVE' AND webhook_url IS NOT NULL
     ORDER BY kind, id`,
  );

  return {
    findEndpoint: async (businessId, id) => {
      const [row] = await find([[idToFind(businessId), idToFind(id)]]);
      return orNull(row, ([document]) => asEndpoint(document));
    },

    listEndpoints: async (businessId, limit, offset) => {
      const { total, rows } = await pageAndTotal(connection, {
        total: "SELECT count(*) AS n FROM @endpoints WHERE business_id = $1",
        page: `SELECT created_at, id, document FROM @endpoints WHERE business_id = $1
          ORDER BY created_at DESC, id DESC`,
        order: "page.created_at DESC, page.id DESC",
        columns: ["document"],
        values: [idToFind(businessId)],
        limit,
        offset,
      });
      return { entries: rows.map(([document]) => asEndpoint(document)), total, nextCursor: null };
    },

    clearReplacedSecrets: async (now, limit) => asInteger(await connection.call("clear_replaced_secrets", now, limit)),

    findSubscribers: async (businessId) => {
      const rows = await findSubscribers(idToFind(businessId));
      const ofKind = (kind: string) => rows.filter(([subscriberKind]) => subscriberKind === kind);
      return {
        endpoints: ofKind("endpoint").map(([, , document]) => asEndpoint(document)),
        keys: ofKind("key").map(([, , document, lastUsedAt]) => asKey([document, lastUsedAt])),
      };
    },
  };
}

function asEndpoint(document: unknown): WebhookEndpoint {
  return asDocument<WebhookEndpoint>(document);
}
