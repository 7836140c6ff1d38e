import {
  type Admission,
  asInteger,
  asList,
  createGroupCommit,
  type Instant,
  type RateLimitStore,
  type Window,
} from "@budgetkit/core/store";
import type { Connection, StoreClock } from "../engine/connection.js";

/** A transaction locks each of its subjects. By default a server has room for 64 locks per connection. */
const MAX_BATCH = 50;

const PRUNED_AT_ONCE = 50;

interface Ask {
  readonly subject: string;
  readonly windows: readonly Window[];
  readonly now: Instant;
}

/**
 * Exact windows over all processes that share the database. Concurrent decisions share one statement. With the clock of
 * the database, `now` only converts the returned times to the clock of the caller. A crash of the server empties the
 * windows.
 */
export function postgresRateLimits(connection: Connection, clock: StoreClock = "caller"): RateLimitStore {
  const isByDatabase = clock === "database";
  const count = connection.value("SELECT @count_admitted($1, $2, $3)");
  const group = createGroupCommit({ run: decide, maxBatch: MAX_BATCH });

  async function decide(asks: readonly Ask[]): Promise<readonly PromiseSettledResult<Admission>[]> {
    const groups = groupsOf(asks);
    const answers = await connection.call(
      "consume_all",
      [...groups.keys()],
      [...groups.values()].map(([first]) => arrayOf(first.windows.map(({ lengthMs }) => lengthMs))),
      [...groups.values()].map((group) => arrayOf(group.map(askOf))),
      isByDatabase,
    );
    const admissions = admissionsIn(asList(answers), [...groups.values()].flat());
    return asks.map((ask) => outcomeOf(admissions.get(ask)));
  }

  return {
    consume: (subject, windows, now) => group.commit({ subject, windows, now }),

    countConsumed: async (subject, lengthMs, now) =>
      asInteger((await count(subject, lengthMs, isByDatabase ? null : now)) ?? 0),

    pruneWindows: async (now, limit) => {
      let forgotten = 0;
      while (forgotten < limit) {
        const howMany = Math.min(PRUNED_AT_ONCE, limit - forgotten);
        const [seen, gone] = asList(await connection.call("prune_rates", isByDatabase ? null : now, howMany));
        forgotten += asInteger(gone);
        if (seen === 0) break;
      }
      return forgotten;
    },
  };
}

/** The asks by subject, in order. */
function groupsOf(asks: readonly Ask[]): Map<string, [Ask, ...Ask[]]> {
  const groups = new Map<string, [Ask, ...Ask[]]>();
  for (const ask of asks) {
    const group = groups.get(ask.subject);
    if (group === undefined) groups.set(ask.subject, [ask]);
    else group.push(ask);
  }
  return groups;
}

function askOf({ now, windows }: Ask): string {
  return arrayOf([now, ...windows.map(({ limit }) => limit)]);
}

/** The text of an array in PostgreSQL. */
function arrayOf(values: readonly (number | string)[]): string {
  return `{${values.join(",")}}`;
}

/** The answers of `consume_subject`: for each ask four numbers, one after the other. */
function admissionsIn(answers: readonly unknown[], asks: readonly Ask[]): ReadonlyMap<Ask, Admission> {
  return new Map(asks.map((ask, index) => [ask, admissionAt(answers, 4 * index)]));
}

function admissionAt(answers: readonly unknown[], place: number): Admission {
  const refusedBy = asInteger(answers[place + 2]);
  return {
    used: asInteger(answers[place]),
    freesAt: asInteger(answers[place + 1]),
    refusal: refusedBy === 0 ? null : { window: refusedBy - 1, freesAt: asInteger(answers[place + 3]) },
  };
}

function outcomeOf(admission: Admission | undefined): PromiseSettledResult<Admission> {
  return admission === undefined
    ? { status: "rejected", reason: new TypeError("the database answered fewer decisions than it was asked for") }
    : { status: "fulfilled", value: admission };
}
