import { uncounted, type WebhookEndpoint } from "@budgetkit/core/store";
import { asInteger, bytesOfDeliveries, idToFind, shareBodies } from "@budgetkit/store-kit";
import { andThen, type ConditionHandlers, type WriteHandlers } from "../commit/handlers.js";
import { versionedRows } from "../commit/versioned-rows.js";
import type { SqlValue } from "../engine/session.js";
import type { Statements } from "../engine/statements.js";
import { type DeliveryAdder, idsToRefuse } from "./add-deliveries.js";

const COLUMNS = {
  version: "bigint",
  status: "text",
  created_at: "bigint",
  previous_secret_until: "bigint",
  document: "text",
};

export function webhookWrites(
  statements: Statements,
  deliveries: DeliveryAdder,
): Pick<WriteHandlers, "endpoint" | "endpoint-removal" | "delivery"> {
  const rows = versionedRows(statements, "@endpoints", COLUMNS);
  const removeReplay = statements.write("DELETE FROM @replays WHERE business_id = $1 AND endpoint_id = $2");

  return {
    endpoint: ({ endpoint, expected }) =>
      andThen(rows.prepare(endpoint, valuesOf(endpoint), expected), (change, open) =>
        uncounted(() => {
          change.apply();
          open.changeSubscribers(); // it is among the subscribers
        }),
      ),

    "endpoint-removal": ({ id }) =>
      andThen(rows.prepareRemoval(id, "present"), (removal, open) =>
        uncounted(() => {
          removal.apply();
          removeReplay(open, idToFind(id));
          open.changeSubscribers();
        }),
      ),

    delivery: ({ delivery }) => {
      const bodies = shareBodies([delivery]);
      const ids = idsToRefuse([delivery]);
      return async (open) => {
        const now = await deliveries.refuseTaken(open, ...ids);
        return { added: { deliveryBytes: bytesOfDeliveries(bodies) }, apply: () => deliveries.add(open, bodies, now) };
      };
    },
  };
}

export function webhookConditions(statements: Statements): Pick<ConditionHandlers, "endpoints-below"> {
  const count = statements.value("SELECT count(*) FROM @endpoints WHERE business_id = $1");
  return {
    "endpoints-below":
      ({ limit }) =>
      async (open) =>
        asInteger(await count(open)) < limit ? null : "webhook-limit",
  };
}

function valuesOf(endpoint: WebhookEndpoint): SqlValue[] {
  const { version, status, createdAt, previousSecretUntil } = endpoint;
  return [version, status, createdAt, previousSecretUntil, JSON.stringify(endpoint)];
}
