/** What the address of the screen says, read from text that may have been typed. */
export interface EventsSearch {
  readonly tab?: "ledger" | undefined; // absent = events
  /** A name such as `budget.created`, or a group such as `budget.*`. */
  readonly type?: string;
  readonly subject?: string;
  readonly actor?: string;
  readonly since?: string; // yyyy-mm-dd
  readonly until?: string;
  /** The entry that is open, by its sequence. */
  readonly entry?: string;
}

const TYPE = /^[a-z_]{1,40}\.(?:[a-z_]{1,40}|\*)$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ID = /^\d{1,20}$/;
const LONGEST = 200;

export function readEventsSearch(search: Record<string, unknown>): EventsSearch {
  const text = (value: unknown, isRight: (text: string) => boolean) => {
    const given = typeof value === "number" ? String(value) : value;
    return typeof given === "string" && given !== "" && given.length <= LONGEST && isRight(given) ? given : undefined;
  };
  const read = {
    tab: search.tab === "ledger" ? ("ledger" as const) : undefined,
    type: text(search.type, (given) => TYPE.test(given)),
    subject: text(search.subject, () => true),
    actor: text(search.actor, () => true),
    since: text(search.since, (given) => DAY.test(given)),
    until: text(search.until, (given) => DAY.test(given)),
    entry: text(search.entry, (given) => ID.test(given)),
  };
  return withoutUndefined(read);
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends Record<string, unknown>>(fields: T): Given<T> {
  const given: Given<T> = {};
  for (const name in fields) if (fields[name] !== undefined) Object.assign(given, { [name]: fields[name] });
  return given;
}
