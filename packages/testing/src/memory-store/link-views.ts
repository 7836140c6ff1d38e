import type { LinkViewStore } from "@budgetkit/core/store";
import { appendEvents } from "./events.js";
import type { OpenTables } from "./tables.js";

export function memoryLinkViews(open: OpenTables): LinkViewStore {
  return {
    countView: async ({ businessId, budgetId, channel, at }, gapMs, events) => {
      const tables = open();
      const known = tables.linkViews.find(businessId, budgetId) ?? [];
      if (known.some(({ last }) => at - last < gapMs)) return "repeated";
      const { views = 0, first = at } = known.find((each) => each.channel === channel) ?? {};
      const others = known.filter((each) => each.channel !== channel);
      const counted = [...others, { channel, views: views + 1, first, last: at }];
      tables.linkViews.save(
        businessId,
        budgetId,
        counted.sort((a, b) => (a.channel < b.channel ? -1 : 1)),
      );
      if (known.length > 0) return "counted";
      appendEvents(tables, events);
      return "first";
    },

    listLinkViews: async (businessId, budgetId) => open().linkViews.find(businessId, budgetId) ?? [],
  };
}
