import type { Integration, IntegrationStore } from "@budgetkit/core/store";
import { asDocument, idToFind } from "@budgetkit/store-kit";
import { pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";

const OF_BUSINESS = "FROM @integrations WHERE business_id = $1";

export function postgresIntegrations(connection: Connection): IntegrationStore {
  const find = connection.value(`SELECT document ${OF_BUSINESS} AND id = $2`);

  return {
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
  };
}

function asIntegration(document: unknown): Integration {
  return asDocument<Integration>(document);
}
