import type { WebhookEndpoint } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import { limitArgument } from "../engine/arguments.js";
import type { Connection } from "../engine/connection.js";
import { auditRows } from "../events/events.js";
import { ADD_DELIVERIES } from "../webhooks/add-functions.js";
import { deliveryArguments } from "../webhooks/delivery-rows.js";
import { ENDPOINT_COMMITS } from "../webhooks/endpoint-functions.js";
import type { CommitParts, SendCommit, WriteOf } from "./commit-parts.js";

/** Endpoints, and single deliveries. */
export function endpointCalls(connection: Connection) {
  const call = connection.commits(ENDPOINT_COMMITS);
  const add = connection.arrays(ADD_DELIVERIES);

  return {
    endpoint(parts: CommitParts, { endpoint, expected }: WriteOf<"endpoint">): SendCommit {
      const audit = auditRows(parts.take("audit"));
      const row = endpointRow(endpoint);
      if (expected !== "absent") {
        const argument = { endpoint: row, expectedVersion: expected, audit };
        return () => call("replace_endpoint", row.business_id, argument);
      }
      const business = idToWrite(endpoint.businessId);
      const inserted = { ...row, id: idToWrite(endpoint.id) };
      const limit = limitArgument(parts.takeCondition("endpoints-below")?.limit);
      return () => call("insert_endpoint", business, { endpoint: inserted, limit, audit });
    },

    removal(parts: CommitParts, { id }: WriteOf<"endpoint-removal">): SendCommit {
      const business = idToFind(parts.businessId);
      const argument = { business_id: business, id: idToFind(id), audit: auditRows(parts.take("audit")) };
      return () => call("delete_endpoint", business, argument);
    },

    delivery(_: CommitParts, { delivery }: WriteOf<"delivery">): SendCommit {
      const deliveries = deliveryArguments([delivery], connection.clock);
      return async () => {
        await add({ event: [], deliveries });
        return { kind: "written", number: null, made: null, mayWait: false };
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
