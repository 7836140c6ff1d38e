import { type Change, type LinkViewStore, type Refusal, uncounted } from "@budgetkit/core/store";
import type { OpenTables, Tables } from "./tables.js";
import type { ConditionOf, WriteOf } from "./write-of.js";

export function memoryLinkViews(open: OpenTables): LinkViewStore {
  return {
    listLinkViews: async (businessId, budgetId) => open().linkViews.find(businessId, budgetId) ?? [],
  };
}

export function linkViewChange({ linkViews }: Tables, { view, isFirst }: WriteOf<"link-view">): Change | Refusal {
  const { businessId, budgetId, channel, at } = view;
  const known = linkViews.find(businessId, budgetId) ?? [];
  if (isFirst !== (known.length === 0)) return "stale";
  const { views = 0, first = at } = known.find((each) => each.channel === channel) ?? {};
  const others = known.filter((each) => each.channel !== channel);
  const counted = [...others, { channel, views: views + 1, first, last: at }];
  counted.sort((a, b) => (a.channel < b.channel ? -1 : 1));
  return uncounted(() => linkViews.save(businessId, budgetId, counted));
}

export function isViewedSince(
  { linkViews }: Tables,
  businessId: string,
  { budgetId, since }: ConditionOf<"not-viewed-since">,
): boolean {
  return (linkViews.find(businessId, budgetId) ?? []).some(({ last }) => last > since);
}
