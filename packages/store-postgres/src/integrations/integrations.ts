import { asDocument, type Integration, type IntegrationStore, idToFind, idToWrite } from "@budgetkit/core/store";
import { limitArgument } from "../engine/arguments.js";
import { pageAndTotal } from "../engine/conditions.js";
import type { Connection } from "../engine/connection.js";
import { auditArgument } from "../events/events.js";
import { INTEGRATION_COMMITS } from "./integration-functions.js";

const OF_BUSINESS = "FROM @integrations WHERE business_id = $1";

export function postgresIntegrations(connection: Connection): IntegrationStore {
  const commit = connection.commits(INTEGRATION_COMMITS);
  const find = connection.value(`SELECT document ${OF_BUSINESS} AND id = $2`);

  return {
    insertIntegration: async (integration, limit, audit = null) => {
      const { businessId, id } = integration;
      const row = { ...integrationRow(integration), business_id: idToWrite(businessId), id: idToWrite(id) };
      const argument = { integration: row, limit: limitArgument(limit), audit: auditArgument(audit) };
      return commit("insert_integration", row.business_id, argument);
    },

    findIntegration: async (businessId, id) => {
      const document = await find(idToFind(businessId), idToFind(id));
      return document === undefined ? null : asIntegration(document);
    },

    listIntegrations: async (businessId, limit, offset) => {
      const { total, rows } = await pageAndTotal(connection, {
        total: `SELECT count(*) AS n ${OF_BUSINESS}`,
        page: `SELECT created_at, id, document ${OF_BUSINESS} ORDER BY created_at DESC, id DESC`,
        order: "page.created_at DESC, page.id DESC",
        columns: ["document"],
        values: [idToFind(businessId)],
        limit,
        offset,
      });
      return { entries: rows.map(([document]) => asIntegration(document)), total, nextCursor: null };
    },

    replaceIntegration: async (integration, expectedVersion, audit = null) => {
      const row = integrationRow(integration);
      const argument = { integration: row, expectedVersion, audit: auditArgument(audit) };
      return commit("replace_integration", row.business_id, argument);
    },

    deleteIntegration: async (businessId, id, audit = null) => {
      const business = idToFind(businessId);
      const argument = { business_id: business, id: idToFind(id), audit: auditArgument(audit) };
      return commit("delete_integration", business, argument);
    },
  };
}

function integrationRow(integration: Integration) {
  return {
    business_id: idToFind(integration.businessId),
    id: idToFind(integration.id),
    version: integration.version,
    created_at: integration.createdAt,
    document: JSON.stringify(integration),
  };
}

function asIntegration(document: unknown): Integration {
  return asDocument<Integration>(document);
}
