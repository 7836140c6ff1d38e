import { MAX_VIEWINGS, uncounted } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import type { OpenBusiness } from "../commit/open-business.js";
import type { Statements } from "../engine/statements.js";

const OF_BUDGET = "SELECT FROM @link_views WHERE business_id = $1 AND budget_id = $2";
const KEPT = "FROM @viewings WHERE business_id = $1 AND budget_id = $2";

export function linkViewWrites(statements: Statements): Pick<WriteHandlers, "link-view"> {
  const isViewed = statements.exists(`${OF_BUDGET} LIMIT 1`);
  const count = statements.write(
    `INSERT INTO @link_views AS stored (business_id, budget_id, channel, views, first_at, last_at)
     VALUES ($1, $2, $3, 1, $4, $4)
     ON CONFLICT (business_id, budget_id, channel) DO UPDATE SET
       views = stored.views + 1, last_at = excluded.last_at`,
  );
  const keep = statements.write(
    "INSERT INTO @viewings (business_id, budget_id, viewed_at, device) VALUES ($1, $2, $3, $4)",
  );
  const prune = statements.write(
    `DELETE ${KEPT} AND (viewed_at, device) <= (
       SELECT viewed_at, device ${KEPT} ORDER BY viewed_at DESC, device DESC LIMIT 1 OFFSET ${MAX_VIEWINGS}
     )`,
  );
  return {
    "link-view": ({ view: { businessId, budgetId, channel, device, at }, isFirst }) => {
      const budget = idToFind(budgetId);
      const view = (open: OpenBusiness) => {
        idToWrite(businessId);
        count(open, budget, channel, at);
        keep(open, budget, at, device);
        prune(open, budget);
      };
      return async (open) => ((await isViewed(open, budget)) === isFirst ? "stale" : uncounted(() => view(open)));
    },
  };
}

export function linkViewConditions(statements: Statements): Pick<ConditionHandlers, "not-viewed-since"> {
  const isViewedSince = statements.exists(`SELECT ${KEPT} AND viewed_at > $3 AND device = $4 LIMIT 1`);
  return {
    "not-viewed-since":
      ({ budgetId, device, since }) =>
      async (open) =>
        (await isViewedSince(open, idToFind(budgetId), since, device)) ? "repeated" : null,
  };
}
