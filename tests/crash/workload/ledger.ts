/** What the client of a killed server knows of one creation and its changes. */
export interface Creation {
  readonly idempotencyKey: string; // also the notes of the budget, which identify it
  readonly body: string;
  answer: string | null; // null = the server was killed first
  budget: AcknowledgedBudget | null;
}

interface AcknowledgedBudget {
  readonly id: string;
  version: number;
  status: string;
  attempted: string | null; // the status that an unanswered update asked for; null = every update was answered
}

/** A budget as the server has it. */
export interface StoredBudget {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly notes: string;
  readonly number?: string | undefined; // of the series K-{seq}
}

export interface RecordedEvent {
  readonly event: string;
  readonly subjectId: string;
}

/** The events of budgets, without the audit entries of keys, endpoints and users. */
export function budgetEventsIn<E extends RecordedEvent>(events: readonly E[]): E[] {
  return events.filter(({ event }) => event.startsWith("budget."));
}

/** Every lost, invented or half-done write, in words; empty = the server kept its promises. `events` has the newest first. */
export function findBrokenPromises(
  creations: readonly Creation[],
  budgets: readonly StoredBudget[],
  events: readonly RecordedEvent[],
): string[] {
  const histories = groupBy(budgetEventsIn(events), ({ subjectId }) => subjectId);
  const effects = groupBy(budgets, ({ notes }) => notes);
  const ids = new Set(budgets.map(({ id }) => id));
  return [
    ...creations.flatMap((creation) => problemsOf(creation, effects.get(creation.idempotencyKey) ?? [])),
    ...budgets.flatMap((budget) => problemsOfHistory(budget, histories.get(budget.id) ?? [])),
    ...problemsOfNumbers(budgets),
    ...[...histories.keys()].filter((id) => !ids.has(id)).map((id) => `events of ${id}, but no budget`),
  ];
}

/** Budgets that were created in a row have numbers without gaps; those of the ledger's own tests have none. */
function problemsOfNumbers(budgets: readonly StoredBudget[]): string[] {
  const values = budgets.flatMap(({ number }) => (number === undefined ? [] : [Number(number.slice("K-".length))]));
  const first = Math.min(...values);
  const inOrder = [...values].sort((a, b) => a - b);
  const isWhole =
    values.length === 0 ||
    (values.length === budgets.length && inOrder.every((value, index) => value === first + index));
  return isWhole ? [] : [`the numbers of ${budgets.length} budgets are ${inOrder.join(", ")}`];
}

function problemsOf({ idempotencyKey, budget }: Creation, stored: readonly StoredBudget[]): string[] {
  const [found] = stored;
  if (stored.length > 1) return [`${idempotencyKey} took effect ${stored.length} times`];
  if (budget === null) return [];
  if (found === undefined || found.id !== budget.id) return [`${budget.id} was acknowledged and is lost`];
  const isAcknowledged = found.version === budget.version && found.status === budget.status;
  const isAttempted = found.version === budget.version + 1 && found.status === budget.attempted;
  if (isAcknowledged || isAttempted) return [];
  const { id, version, status } = budget;
  return [`${id} was acknowledged as ${status}, version ${version}, and is ${found.status}, version ${found.version}`];
}

/** Each version has one event, the newest first: the approval or rejection, the changes, the creation. */
function problemsOfHistory({ id, version, status }: StoredBudget, events: readonly RecordedEvent[]): string[] {
  const answers = status === "PENDING" ? [] : [`budget.${status.toLowerCase()}`];
  const changes = Array.from({ length: version - 1 - answers.length }, () => "budget.updated");
  const recorded = events.map(({ event }) => event).join(", ");
  const isWhole = [...answers, ...changes, "budget.created"].join(", ") === recorded;
  return isWhole ? [] : [`${id} is ${status}, version ${version}, with the events ${recorded || "none"}`];
}

function groupBy<T>(entries: readonly T[], keyOf: (entry: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group === undefined) groups.set(keyOf(entry), [entry]);
    else group.push(entry);
  }
  return groups;
}
