import {
  type LinkViewStore,
  MAX_VIEWINGS,
  uncounted,
  VIEW_CHANNELS,
  VIEW_DEVICES,
  type ViewSum,
} from "@budgetkit/core/store";
import { asInteger, asOneOf, idToFind, idToWrite, orNull, type Row } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import type { Connection } from "../engine/connection.js";
import { pageReader } from "../engine/page-reader.js";

const OF_BUDGET = "FROM budgetkit_link_views WHERE business_id = ? AND budget_id = ?";
const KEPT = "budgetkit_viewings WHERE business_id = ? AND budget_id = ?";

export function sqliteLinkViews(connection: Connection): LinkViewStore {
  const list = connection.rows(`SELECT channel, views, first_at, last_at ${OF_BUDGET} ORDER BY channel`);
  const sum = connection.row(`SELECT sum(views), max(last_at) ${OF_BUDGET} GROUP BY budget_id`);
  const order = "viewed_at DESC, device DESC";
  const listKept = pageReader(connection, { columns: "viewed_at, device", from: KEPT, order }, ([at, device]) => ({
    at: asInteger(at),
    device: asOneOf(VIEW_DEVICES, device),
  }));

  function sumOf(businessId: string, budgetId: string): ViewSum | null {
    const asSum = ([views, last]: Row) => ({ views: asInteger(views), last: asInteger(last) });
    return orNull(sum(idToFind(businessId), idToFind(budgetId)), asSum);
  }

  return {
    listViewings: (businessId, budgetId, limit, offset) =>
      listKept([idToFind(businessId), idToFind(budgetId)], limit, offset),

    sumViews: (businessId, budgetIds) =>
      connection.read(() => {
        const sums = budgetIds.map((id) => [id, sumOf(businessId, id)] as const);
        return new Map(sums.flatMap(([id, found]) => (found === null ? [] : [[id, found]])));
      }),

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
  const keep = connection.command(
    "INSERT INTO budgetkit_viewings (business_id, budget_id, viewed_at, device) VALUES (?, ?, ?, ?)",
  );
  const prune = connection.command(
    `DELETE FROM ${KEPT} AND (viewed_at, device) <= (
       SELECT viewed_at, device FROM ${KEPT} ORDER BY viewed_at DESC, device DESC LIMIT 1 OFFSET ${MAX_VIEWINGS}
     )`,
  );
  return {
    "link-view": ({ view: { businessId, budgetId, channel, device, at }, isFirst }) => {
      const apply = () => {
        const key = [idToWrite(businessId), idToWrite(budgetId)] as const;
        count(...key, channel, at, at);
        keep(...key, at, device);
        prune(...key, ...key);
      };
      return () => (isViewed(idToFind(businessId), idToFind(budgetId)) === isFirst ? "stale" : uncounted(apply));
    },
  };
}

export function linkViewConditions(connection: Connection): Pick<ConditionHandlers, "not-viewed-since"> {
  const isViewedSince = connection.exists(`SELECT 1 FROM ${KEPT} AND viewed_at > ? AND device = ? LIMIT 1`);
  return {
    "not-viewed-since": ({ budgetId, device, since }, businessId) =>
      isViewedSince(idToFind(businessId), idToFind(budgetId), since, device) ? "repeated" : null,
  };
}
