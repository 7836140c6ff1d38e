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
    const subjects = runsBySubject(asks);
    const runs = [...subjects.values()];
    const answers = await connection.call(
      "consume_all",
      [...subjects.keys()],
      runs.map(([[first]]) => arrayOf(first.windows.map(({ lengthMs }) => lengthMs))),
      runs.map((ofSubject) => arrayOf(ofSubject.map(runOf))),
      isByDatabase,
    );
    const admissions = admissionsIn(asList(answers), runs.flat());
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

/** Asks of one subject, one after the other, that have the same time and the same limits. */
type Run = [Ask, ...Ask[]];

/** The asks of each subject, in order. */
function runsBySubject(asks: readonly Ask[]): Map<string, [Run, ...Run[]]> {
  const subjects = new Map<string, [Run, ...Run[]]>();
  for (const ask of asks) {
    const runs = subjects.get(ask.subject);
    const last = runs?.at(-1);
    if (runs === undefined) subjects.set(ask.subject, [[ask]]);
    else if (last !== undefined && asksTheSame(last[0], ask)) last.push(ask);
    else runs.push([ask]);
  }
  return subjects;
}

function asksTheSame(one: Ask, other: Ask): boolean {
  return one.now === other.now && one.windows.every(({ limit }, index) => limit === other.windows[index]?.limit);
}

function runOf(run: Run): string {
  const [{ now, windows }] = run;
  return arrayOf([run.length, now, ...windows.map(({ limit }) => limit)]);
}

/** The text of an array in PostgreSQL. */
function arrayOf(values: readonly (number | string)[]): string {
  return `{${values.join(",")}}`;
}

/** The answers of `consume_subject`: for each run five numbers, one after the other. */
function admissionsIn(answers: readonly unknown[], runs: readonly Run[]): ReadonlyMap<Ask, Admission> {
  const admissions = new Map<Ask, Admission>();
  runs.forEach((run, index) => {
    const numberAt = (place: number): number => asInteger(answers[5 * index + place]);
    const granted = numberAt(0);
    const used = numberAt(1);
    const freesAt = numberAt(2);
    const refusal = { window: numberAt(3) - 1, freesAt: numberAt(4) };
    run.forEach((ask, place) => {
      const isAdmitted = place < granted;
      admissions.set(ask, {
        used: used + (isAdmitted ? place + 1 : granted),
        freesAt,
        refusal: isAdmitted ? null : refusal,
      });
    });
  });
  return admissions;
}

function outcomeOf(admission: Admission | undefined): PromiseSettledResult<Admission> {
  return admission === undefined
    ? { status: "rejected", reason: new TypeError("the database answered fewer decisions than it was asked for") }
    : { status: "fulfilled", value: admission };
}
