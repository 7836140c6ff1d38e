import { asInteger, asOneOf, idToFind, type LinkViewStore, VIEW_CHANNELS } from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { eventRows, reportedPlans } from "../events/events.js";
import { LINK_VIEW_COMMITS } from "./link-view-functions.js";

export function postgresLinkViews(connection: Connection): LinkViewStore {
  const commit = connection.commits(LINK_VIEW_COMMITS);
  const list = connection.rows(
    `SELECT channel, views, first_at, last_at FROM @link_views
     WHERE business_id = $1 AND budget_id = $2 ORDER BY channel`,
  );

  return {
    countView: async ({ businessId, budgetId, channel, at }, gapMs, events) => {
      const business = idToFind(businessId);
      const view = { business_id: business, budget_id: idToFind(budgetId), channel, views: 1 };
      const argument = {
        view: { ...view, first_at: at, last_at: at },
        gapMs,
        events: eventRows(connection, events),
      };
      return commit("count_view", business, argument, { planned: reportedPlans(events) });
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
