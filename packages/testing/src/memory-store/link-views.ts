import {
  type Change,
  type LinkViewStore,
  MAX_VIEWINGS,
  type Refusal,
  uncounted,
  type Viewing,
} from "@budgetkit/core/store";
import type { OpenTables, Tables } from "./tables.js";
import type { ConditionOf, WriteOf } from "./write-of.js";

export function memoryLinkViews(open: OpenTables): LinkViewStore {
  return {
    listLinkViews: async (businessId, budgetId) => open().linkViews.find(businessId, budgetId) ?? [],

    listViewings: async (businessId, budgetId, limit, offset) => {
      const kept = open().viewings.find(businessId, budgetId) ?? [];
      return { entries: kept.slice(offset, offset + limit), total: kept.length, nextCursor: null };
    },

    sumViews: async (businessId, budgetIds) =>
      new Map(
        budgetIds.flatMap((id) => {
          const channels = open().linkViews.find(businessId, id);
          if (channels === null) return [];
          const views = channels.reduce((sum, channel) => sum + channel.views, 0);
          return [[id, { views, last: Math.max(...channels.map(({ last }) => last)) }]];
        }),
      ),
  };
}

export function linkViewChange(
  { linkViews, viewings }: Tables,
  { view, isFirst }: WriteOf<"link-view">,
): Change | Refusal {
  const { businessId, budgetId, channel, device, at } = view;
  const known = linkViews.find(businessId, budgetId) ?? [];
  if (isFirst !== (known.length === 0)) return "stale";
  const { views = 0, first = at } = known.find((each) => each.channel === channel) ?? {};
  const others = known.filter((each) => each.channel !== channel);
  const counted = [...others, { channel, views: views + 1, first, last: at }];
  counted.sort((a, b) => (a.channel < b.channel ? -1 : 1));
  const kept = [{ at, device }, ...(viewings.find(businessId, budgetId) ?? [])]
    .sort(newestFirst)
    .slice(0, MAX_VIEWINGS);
  return uncounted(() => {
    linkViews.save(businessId, budgetId, counted);
    viewings.save(businessId, budgetId, kept);
  });
}

function newestFirst(a: Viewing, b: Viewing): number {
  return b.at - a.at || (a.device < b.device ? 1 : -1);
}

export function isViewedSince(
  { viewings }: Tables,
  businessId: string,
  { budgetId, device, since }: ConditionOf<"not-viewed-since">,
): boolean {
  return (viewings.find(businessId, budgetId) ?? []).some((each) => each.device === device && each.at > since);
}
