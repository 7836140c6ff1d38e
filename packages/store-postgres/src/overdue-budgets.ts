import { type Budget, type BudgetStore, createGroupCommit, type Instant } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { idToFind } from "./ids.js";
import { asDocument } from "./rows.js";

interface Ask {
  readonly business: number;
  readonly now: Instant;
  readonly limit: number;
}

/** Further statements may be under way meanwhile, so that one that is slow does not hold up all others. */
const GROUPS_IN_FLIGHT = 4;

export const OVERDUE = "status = 'PENDING' AND valid_until IS NOT NULL AND valid_until <=";

/** Every list asks first what is overdue in its business: those that ask at the same time share the answer. */
export function postgresOverdueBudgets(connection: Connection): BudgetStore["findOverdueBudgets"] {
  const find = connection.values(
    `SELECT document FROM @budgets WHERE business_id = $1 AND ${OVERDUE} $2 ORDER BY valid_until LIMIT $3`,
  );
  const group = createGroupCommit({ run: answerAll, maxInFlight: GROUPS_IN_FLIGHT });

  async function answerAll(asks: readonly Ask[]): Promise<readonly PromiseFulfilledResult<readonly Budget[]>[]> {
    const answers = new Map<number, Promise<readonly Budget[]>>();
    for (const { business } of asks) {
      if (!answers.has(business)) answers.set(business, answer(asks.filter((ask) => ask.business === business)));
    }
    return Promise.all(
      asks.map(async ({ business, now, limit }) => {
        const overdue = (await answers.get(business)) ?? [];
        const own = overdue.filter(({ validUntil }) => validUntil !== null && validUntil <= now);
        return { status: "fulfilled", value: own.slice(0, limit) } as const;
      }),
    );
  }

  /** What is overdue for the latest of them: in its order, what is overdue for another comes first. */
  async function answer(asks: readonly Ask[]): Promise<readonly Budget[]> {
    const [business = 0] = asks.map((ask) => ask.business);
    const now = Math.max(...asks.map((ask) => ask.now));
    const limit = Math.max(...asks.map((ask) => ask.limit));
    return (await find(business, now, limit)).map((document) => asDocument<Budget>(document));
  }

  return (businessId, now, limit) => group.commit({ business: idToFind(businessId), now, limit });
}
