import type { Actor, BudgetService, BudgetView, EventView, MessageView, PaymentView } from "@budgetkit/core";
import { type OperationResult, orRefuse } from "../terminal/problem-text.js";
import type { ExportedEvidence } from "./export-line.js";

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

/** Every entry of a list, oldest first, one page in memory at a time. Entries added during the export come last. */
export async function* byCursor<V>(
  list: (query: CursorQuery) => Promise<OperationResult<CursorPage<V>>>,
): AsyncGenerator<V> {
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
    return found.flatMap((budget) => (budget.isOk() ? [budget.value] : [])); // deleted since the list was read
  };
  for await (const { id } of byCursor((query) => budgets.list(actor, query))) {
    if (ids.push(id) === LIMIT) yield* await read();
  }
  yield* await read();
}

/** Every payment of every such budget, by budget, oldest first. */
export async function* paymentsOf({ budgets }: BudgetService, actor: Actor): AsyncGenerator<PaymentView> {
  for await (const { id, paid } of byCursor((query) => budgets.list(actor, query))) {
    if (paid === 0) continue;
    yield* await oldestFirst((query) => budgets.listPayments(actor, id, query)); // a thousand at most
  }
}

/** Every message and request for a change of every such budget, by budget, oldest first. */
export async function* messagesOf({ budgets }: BudgetService, actor: Actor): AsyncGenerator<MessageView> {
  for await (const { id } of byCursor((query) => budgets.list(actor, query))) {
    yield* await oldestFirst((query) => budgets.listMessages(actor, id, query)); // a few hundred at most
  }
}

interface NumberedPage<V> {
  readonly data: readonly V[];
  readonly pagination: { readonly hasMore: boolean };
}

/** What belongs to one budget; as far as it was read when the budget is deleted meanwhile. */
async function oldestFirst<V>(
  list: (query: { readonly page: number; readonly limit: number }) => Promise<OperationResult<NumberedPage<V>>>,
): Promise<V[]> {
  const entries: V[] = [];
  for (let page = 1; ; page += 1) {
    const found = (await list({ page, limit: LIMIT })).match<NumberedPage<V> | null>(
      (read) => read,
      () => null,
    );
    if (found === null) break;
    entries.push(...found.data);
    if (!found.pagination.hasMore) break;
  }
  return entries.reverse();
}

/** The evidence of every acceptance of every such budget: of its revisions, and of the present state. */
export async function* evidenceOf(service: BudgetService, actor: Actor): AsyncGenerator<ExportedEvidence> {
  for await (const { id: budgetId, revision } of budgetsOf(service, actor)) {
    const revisions = Array.from({ length: revision }, (_, index) => ({ revision: index + 1 }));
    const found = await Promise.all(
      [...revisions, {}].map((query) => service.budgets.getEvidence(actor, budgetId, query)),
    );
    const bySignature = new Map<string, ExportedEvidence>();
    for (const each of found) {
      if (each.isOk()) bySignature.set(each.value.signature, { budgetId, evidence: each.value });
    }
    yield* bySignature.values();
  }
}

/**
 * Every event up to `until`, newest first: by sequence, which is not always the order of the timestamps. Events that are
 * committed meanwhile move entries to a later page; those that come again are left out.
 */
export async function* eventsOf({ events }: BudgetService, actor: Actor, until: Date): AsyncGenerator<EventView> {
  let last = Number.POSITIVE_INFINITY;
  for (let page = 1; ; page += 1) {
    const query = { until: until.toISOString(), page, limit: LIMIT };
    const { data, pagination } = orRefuse(await events.list(actor, query));
    for (const event of data) {
      if (event.sequence >= last) continue;
      last = event.sequence;
      yield event;
    }
    if (!pagination.hasMore) return;
  }
}
