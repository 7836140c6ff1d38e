import { type LinkViewStore, VIEW_CHANNELS, VIEW_DEVICES, type ViewSum } from "@budgetkit/core/store";
import { asInteger, asOneOf, idToFind } from "@budgetkit/store-kit";
import { pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";

const KEPT = "FROM @viewings WHERE business_id = $1 AND budget_id = $2";

const SUMS = {
  key: { business: "bigint", budget: "bigint" },
  row: `SELECT sum(views)::bigint, max(last_at) FROM @link_views
    WHERE business_id = key.business AND budget_id = key.budget HAVING count(*) > 0`,
};

export function postgresLinkViews(connection: Connection): LinkViewStore {
  const list = connection.rows(
    `SELECT channel, views, first_at, last_at FROM @link_views
     WHERE business_id = $1 AND budget_id = $2 ORDER BY channel`,
  );

  const findSums = connection.lookUp(SUMS);

  return {
    listViewings: async (businessId, budgetId, limit, offset) => {
      const { total, rows } = await pageAndTotal(connection, {
        total: `SELECT count(*) AS n ${KEPT}`,
        page: `SELECT viewed_at, device ${KEPT} ORDER BY viewed_at DESC, device DESC`,
        order: "page.viewed_at DESC, page.device DESC",
        columns: ["viewed_at", "device"],
        values: [idToFind(businessId), idToFind(budgetId)],
        limit,
        offset,
      });
      const entries = rows.map(([at, device]) => ({ at: asInteger(at), device: asOneOf(VIEW_DEVICES, device) }));
      return { entries, total, nextCursor: null };
    },

    sumViews: async (businessId, budgetIds) => {
      const rows = await findSums(budgetIds.map((id) => [idToFind(businessId), idToFind(id)]));
      const sums = new Map<string, ViewSum>();
      for (const [index, id] of budgetIds.entries()) {
        const row = rows[index] ?? null;
        if (row !== null) sums.set(id, { views: asInteger(row[0]), last: asInteger(row[1]) });
      }
      return sums;
    },

    listLinkViews: async (businessId, budgetId) =>
      (await list(idToFind(businessId), idToFind(budgetId))).map(([channel, views, first, last]) => ({
        channel: asOneOf(VIEW_CHANNELS, channel),
        views: asInteger(views),
        first: asInteger(first),
        last: asInteger(last),
      })),
  };
}
