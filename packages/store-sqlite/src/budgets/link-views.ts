import { asInteger, asOneOf, idToFind, type LinkViewStore, VIEW_CHANNELS } from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { outboxWriter } from "../events/events.js";

const OF_BUDGET = "FROM budgetkit_link_views WHERE business_id = ? AND budget_id = ?";

export function sqliteLinkViews(connection: Connection): LinkViewStore {
  const lastOf = connection.value(`SELECT max(last_at) ${OF_BUDGET}`);
  const list = connection.rows(`SELECT channel, views, first_at, last_at ${OF_BUDGET} ORDER BY channel`);
  const count = connection.command(
    `INSERT INTO budgetkit_link_views (business_id, budget_id, channel, views, first_at, last_at)
     VALUES (?, ?, ?, 1, ?, ?)
     ON CONFLICT (business_id, budget_id, channel) DO UPDATE SET views = views + 1, last_at = excluded.last_at`,
  );
  const prepareEvents = outboxWriter(connection);

  return {
    countView: async ({ businessId, budgetId, channel, at }, gapMs, events) => {
      const budget = [idToFind(businessId), idToFind(budgetId)] as const;
      const appendEvents = prepareEvents(events);
      return connection.write(() => {
        const last = lastOf(...budget);
        const isFirst = last === null || last === undefined;
        if (!isFirst && at - asInteger(last) < gapMs) return "repeated";
        count(...budget, channel, at, at);
        if (!isFirst) return "counted";
        appendEvents();
        return "first";
      });
    },

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
