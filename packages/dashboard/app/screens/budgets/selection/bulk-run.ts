/** What became of one budget. */
export interface BudgetOutcome {
  readonly budgetId: string;
  readonly refusal: string | null; // null = done
}

const CHUNK = 100;
const AT_ONCE = 4;

/** Calls an operation that takes up to a hundred ids as often as needed. A call that fails refuses its own budgets alone. */
export async function runChunks(
  ids: readonly string[],
  call: (ids: readonly string[]) => Promise<readonly BudgetOutcome[]>,
  reasonOf: (error: unknown) => string,
): Promise<readonly BudgetOutcome[]> {
  const outcomes: BudgetOutcome[] = [];
  for (let start = 0; start < ids.length; start += CHUNK) {
    const chunk = ids.slice(start, start + CHUNK);
    outcomes.push(
      ...(await call(chunk).catch((error: unknown) =>
        chunk.map((budgetId) => ({ budgetId, refusal: reasonOf(error) })),
      )),
    );
  }
  return outcomes;
}

/** Calls an operation for each id, four at a time, and goes on where one is refused. The outcomes are in the ids' order. */
export async function runEach(
  ids: readonly string[],
  call: (id: string) => Promise<unknown>,
  reasonOf: (error: unknown) => string,
): Promise<readonly BudgetOutcome[]> {
  const outcomes = new Map<string, string | null>();
  const waiting = [...ids];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      outcomes.set(
        id,
        await call(id).then(
          () => null,
          (error: unknown) => reasonOf(error),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids.map((budgetId) => ({ budgetId, refusal: outcomes.get(budgetId) ?? null }));
}
