import { uncounted } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import type { OpenBusiness } from "../commit/open-business.js";
import type { Statements } from "../engine/statements.js";

const OF_BUDGET = "SELECT FROM @link_views WHERE business_id = $1 AND budget_id = $2";

export function linkViewWrites(statements: Statements): Pick<WriteHandlers, "link-view"> {
  const isViewed = statements.exists(`${OF_BUDGET} LIMIT 1`);
  const count = statements.write(
    `INSERT INTO @link_views AS stored (business_id, budget_id, channel, views, first_at, last_at)
     VALUES ($1, $2, $3, 1, $4, $4)
     ON CONFLICT (business_id, budget_id, channel) DO UPDATE SET
       views = stored.views + 1, last_at = excluded.last_at`,
  );
  return {
    "link-view": ({ view: { businessId, budgetId, channel, at }, isFirst }) => {
      const budget = idToFind(budgetId);
      const view = (open: OpenBusiness) => {
        idToWrite(businessId);
        count(open, budget, channel, at);
      };
      return async (open) => ((await isViewed(open, budget)) === isFirst ? "stale" : uncounted(() => view(open)));
    },
  };
}

export function linkViewConditions(statements: Statements): Pick<ConditionHandlers, "not-viewed-since"> {
  const isViewedSince = statements.exists(`${OF_BUDGET} AND last_at > $3 LIMIT 1`);
  return {
    "not-viewed-since":
      ({ budgetId, since }) =>
      async (open) =>
        (await isViewedSince(open, idToFind(budgetId), since)) ? "repeated" : null,
  };
}
