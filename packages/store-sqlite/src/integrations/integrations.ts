import type { Integration, IntegrationStore } from "@budgetkit/core/store";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import { documentTable } from "../commit/versioned-documents.js";
import type { Connection } from "../engine/connection.js";

const integrationsOn = (connection: Connection) => documentTable<Integration>(connection, "budgetkit_integrations");

export function sqliteIntegrations(connection: Connection): IntegrationStore {
  const integrations = integrationsOn(connection);
  return { findIntegration: integrations.find, listIntegrations: integrations.list };
}

export function integrationWrites(connection: Connection): Pick<WriteHandlers, "integration" | "integration-removal"> {
  const integrations = integrationsOn(connection);
  return {
    integration: ({ integration, expected }) => integrations.prepare(integration, expected),
    "integration-removal": ({ id }, businessId) => integrations.prepareRemoval(businessId, id),
  };
}

export function integrationConditions(connection: Connection): Pick<ConditionHandlers, "integrations-below"> {
  const integrations = integrationsOn(connection);
  return {
    "integrations-below": ({ limit }, businessId) =>
      integrations.count(businessId) < limit ? null : "integration-limit",
  };
}
