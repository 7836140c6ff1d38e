import type { Actor, BudgetService, BudgetView, EventView, PaymentView } from "@budgetkit/core";
import { type Answer, orRefuse } from "../problem-text.js";

const LIMIT = 100;

interface CursorPage<V> {
  readonly data: readonly V[];
  readonly pagination: { readonly nextCursor: string | null };
}

interface CursorQuery {
  readonly sort: "createdAt";
  readonly order: "asc";
  readonly limit: number;
  readonly cursor?: string;
}

/** Every entry of a list, oldest first, a page in memory at a time. What is added meanwhile comes at the end. */
export async function* byCursor<V>(list: (query: CursorQuery) => Promise<Answer<CursorPage<V>>>): AsyncGenerator<V> {
  let cursor: string | null = null;
  do {
    const query: CursorQuery = {
      sort: "createdAt",
      order: "asc",
      limit: LIMIT,
      ...(cursor === null ? {} : { cursor }),
    };
    const page: CursorPage<V> = orRefuse(await list(query));
    yield* page.data;
    cursor = page.pagination.nextCursor;
  } while (cursor !== null);
}

/** Every budget of the business that is not deleted, whole. */
export async function* budgetsOf({ budgets }: BudgetService, actor: Actor): AsyncGenerator<BudgetView> {
  let ids: string[] = [];
  const read = async (): Promise<BudgetView[]> => {
    const found = await Promise.all(ids.map((id) => budgets.get(actor, id)));
    ids = [];
    return found.flatMap((budget) => (budget.isOk() ? [budget.value] : [])); // the others were deleted meanwhile
  };
  for await (const { id } of byCursor((query) => budgets.list(actor, query))) {
    if (ids.push(id) === LIMIT) yield* await read();
  }
  yield* await read();
}

/** Every payment of every such budget; of each budget the first one first. */
export async function* paymentsOf({ budgets }: BudgetService, actor: Actor): AsyncGenerator<PaymentView> {
  for await (const { id, paid } of byCursor((query) => budgets.list(actor, query))) {
    if (paid === 0) continue;
    const payments: PaymentView[] = []; // a budget has a thousand at most
    for (let page = 1; ; page += 1) {
      const found = await budgets.listPayments(actor, id, { page, limit: LIMIT });
      if (found.isErr()) break; // deleted meanwhile
      payments.push(...found.value.data);
      if (!found.value.pagination.hasMore) break;
    }
    yield* payments.reverse();
  }
}

/**
 * Every event up to `until`, newest first. The list has no cursor: the next page begins at the moment of the last event,
 * and goes on by number only within one moment, so that no page lies far from where its search begins.
 */
export async function* eventsOf({ events }: BudgetService, actor: Actor, until: Date): AsyncGenerator<EventView> {
  let moment = until.toISOString();
  let told = new Set<string>(); // the events of that moment
  for (let page = 1; ; ) {
    const { data } = orRefuse(await events.list(actor, { until: moment, page, limit: LIMIT }));
    for (const event of data) {
      if (told.has(event.id)) continue;
      if (event.timestamp !== moment) told = new Set();
      moment = event.timestamp;
      told.add(event.id);
      yield event;
    }
    const [first] = data;
    if (first === undefined || data.length < LIMIT) return;
    page = first.timestamp === moment ? page + 1 : 1;
  }
}
