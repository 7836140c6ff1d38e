import {
  asDocument,
  asInteger,
  asKey,
  type EndpointStore,
  idToFind,
  idToWrite,
  orNull,
  type WebhookEndpoint,
} from "@budgetkit/core/store";
import { limitArgument } from "../engine/arguments.js";
import { pageAndTotal } from "../engine/conditions.js";
import type { Connection } from "../engine/connection.js";
import { auditArgument } from "../events/events.js";
import { ENDPOINT_COMMITS } from "./endpoint-functions.js";

export function postgresEndpoints(connection: Connection): EndpointStore {
  const commit = connection.commits(ENDPOINT_COMMITS);
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
    insertEndpoint: async (endpoint, limit, audit = null) => {
      const business = idToWrite(endpoint.businessId);
      return commit("insert_endpoint", business, {
        endpoint: { ...endpointRow(endpoint), id: idToWrite(endpoint.id) },
        limit: limitArgument(limit),
        audit: auditArgument(audit),
      });
    },

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

    replaceEndpoint: async (endpoint, expectedVersion, audit = null) => {
      const argument = { endpoint: endpointRow(endpoint), expectedVersion, audit: auditArgument(audit) };
      return commit("replace_endpoint", idToFind(endpoint.businessId), argument);
    },

    deleteEndpoint: async (businessId, id, audit = null) => {
      const business = idToFind(businessId);
      return commit("delete_endpoint", business, {
        business_id: business,
        id: idToFind(id),
        audit: auditArgument(audit),
      });
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

function endpointRow(endpoint: WebhookEndpoint) {
  return {
    business_id: idToFind(endpoint.businessId),
    id: idToFind(endpoint.id),
    version: endpoint.version,
    status: endpoint.status,
    created_at: endpoint.createdAt,
    previous_secret_until: endpoint.previousSecretUntil,
    document: JSON.stringify(endpoint),
  };
}

function asEndpoint(document: unknown): WebhookEndpoint {
  return asDocument<WebhookEndpoint>(document);
}
