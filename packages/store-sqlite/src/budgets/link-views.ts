import { type LinkViewStore, uncounted, VIEW_CHANNELS } from "@budgetkit/core/store";
import { asInteger, asOneOf, idToFind, idToWrite } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import type { Connection } from "../engine/connection.js";

const OF_BUDGET = "FROM budgetkit_link_views WHERE business_id = ? AND budget_id = ?";

export function sqliteLinkViews(connection: Connection): LinkViewStore {
  const list = connection.rows(`SELECT channel, views, first_at, last_at ${OF_BUDGET} ORDER BY channel`);
  return {
    listLinkViews: (businessId, budgetId) =>
      connection.read(() =>
        list(idToFind(businessId), idToFind(budgetId)).map(([channel, views, first, last]) => ({
          channel: asOneOf(VIEW_CHANNELS, channel),
          views: asInteger(views),
          first: asInteger(first),
          last: asInteger(last),
        })),
      ),
  };
}

export function linkViewWrites(connection: Connection): Pick<WriteHandlers, "link-view"> {
  const isViewed = connection.exists(`SELECT 1 ${OF_BUDGET} LIMIT 1`);
  const count = connection.command(
    `INSERT INTO budgetkit_link_views (business_id, budget_id, channel, views, first_at, last_at)
     VALUES (?, ?, ?, 1, ?, ?)
     ON CONFLICT (business_id, budget_id, channel) DO UPDATE SET views = views + 1, last_at = excluded.last_at`,
  );
  return {
    "link-view": ({ view: { businessId, budgetId, channel, at }, isFirst }) => {
      const apply = () => void count(idToWrite(businessId), idToWrite(budgetId), channel, at, at);
      return () => (isViewed(idToFind(businessId), idToFind(budgetId)) === isFirst ? "stale" : uncounted(apply));
    },
  };
}

export function linkViewConditions(connection: Connection): Pick<ConditionHandlers, "not-viewed-since"> {
  const isViewedSince = connection.exists(`SELECT 1 ${OF_BUDGET} AND last_at > ? LIMIT 1`);
  return {
    "not-viewed-since": ({ budgetId, since }, businessId) =>
      isViewedSince(idToFind(businessId), idToFind(budgetId), since) ? "repeated" : null,
  };
}
