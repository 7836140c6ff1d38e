import type { Admission, Instant, RateLimitStore, Window } from "@budgetkit/core/store";
import { asInteger, asList, createGroupCommit } from "@budgetkit/store-kit";
import type { Connection, StoreClock } from "../commit/connection.js";

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
 * the database, `now` only converts the returned times to the clock of the caller. A crash of PostgreSQL empties the
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
      "consume_runs",
      [...subjects.keys()],
      runs.map(([{ ask }]) => arrayOf(ask.windows.map(({ lengthMs }) => lengthMs))),
      runs.map((ofSubject) => arrayOf(ofSubject.map(runText))),
      isByDatabase,
    );
    return admissionsIn(asList(answers), runs.flat()).map((value) => ({ status: "fulfilled", value }));
  }

  return {
    consume: (subject, windows, now) => group.commit({ subject, windows, now }),

    countConsumed: async (subject, lengthMs, now) =>
      asInteger((await count(subject, lengthMs, isByDatabase ? null : now)) ?? 0),

    pruneWindows: async (now, limit) => {
      let pruned = 0;
      while (pruned < limit) {
        const howMany = Math.min(PRUNED_AT_ONCE, limit - pruned);
        const [checked, deleted] = asList(await connection.call("prune_rates", isByDatabase ? null : now, howMany));
        pruned += asInteger(deleted);
        if (checked === 0) break;
      }
      return pruned;
    },
  };
}

/** Calls for one subject, one after the other, with the same time and limits. `places`: theirs in the batch. */
interface Run {
  readonly ask: Ask;
  readonly places: [number, ...number[]];
}

/** The runs of each subject, in order. */
function runsBySubject(asks: readonly Ask[]): Map<string, [Run, ...Run[]]> {
  const subjects = new Map<string, [Run, ...Run[]]>();
  asks.forEach((ask, place) => {
    const runs = subjects.get(ask.subject);
    const last = runs?.at(-1);
    if (runs === undefined) subjects.set(ask.subject, [{ ask, places: [place] }]);
    else if (last !== undefined && asksTheSame(last.ask, ask)) last.places.push(place);
    else runs.push({ ask, places: [place] });
  });
  return subjects;
}

/** Lengths are not compared: those of a subject are the same in every call. */
function asksTheSame(one: Ask, other: Ask): boolean {
  return one.now === other.now && one.windows.every(({ limit }, index) => limit === other.windows[index]?.limit);
}

function runText({ ask, places }: Run): string {
  return arrayOf([places.length, ask.now, ...ask.windows.map(({ limit }) => limit)]);
}

/** The text of an array in PostgreSQL. */
function arrayOf(values: readonly (number | string)[]): string {
  return `{${values.join(",")}}`;
}

/** An admission for each place in the batch. `answers` of `consume_subject`: for each run five numbers, one after the other. */
function admissionsIn(answers: readonly unknown[], runs: readonly Run[]): readonly Admission[] {
  const admissions: Admission[] = [];
  runs.forEach(({ places }, run) => {
    const numberAt = (index: number): number => asInteger(answers[5 * run + index]);
    const granted = numberAt(0);
    const used = numberAt(1);
    const freesAt = numberAt(2);
    const refusal = { window: numberAt(3) - 1, freesAt: numberAt(4) };
    places.forEach((place, before) => {
      const isAdmitted = before < granted;
      admissions[place] = {
        used: used + (isAdmitted ? before + 1 : granted),
        freesAt,
        refusal: isAdmitted ? null : refusal,
      };
    });
  });
  return admissions;
}
