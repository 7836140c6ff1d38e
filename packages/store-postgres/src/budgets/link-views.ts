import { type LinkViewStore, VIEW_CHANNELS } from "@budgetkit/core/store";
import { asInteger, asOneOf, idToFind } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";

export function postgresLinkViews(connection: Connection): LinkViewStore {
  const list = connection.rows(
    `SELECT channel, views, first_at, last_at FROM @link_views
     WHERE business_id = $1 AND budget_id = $2 ORDER BY channel`,
  );

  return {
    listLinkViews: async (businessId, budgetId) =>
      (await list(idToFind(businessId), idToFind(budgetId))).map(([channel, views, first, last]) => ({
        channel: asOneOf(VIEW_CHANNELS, channel),
        views: asInteger(views),
        first: asInteger(first),
        last: asInteger(last),
      })),
  };
}
