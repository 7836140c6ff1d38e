import {
  type Admission,
  createGroupCommit,
  type Instant,
  type RateLimitStore,
  type Window,
} from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { asInteger, asList } from "./rows.js";
import type { StoreClock } from "./store-clock.js";

/** A transaction locks each of its subjects. A server has room for 64 locks for each of its connections, by default. */
const MAX_BATCH = 50;

const PRUNED_AT_ONCE = 50;

interface Ask {
  readonly subject: string;
  readonly windows: readonly Window[];
  readonly now: Instant;
}

/**
 * Exact windows over all processes that share the database. Decisions that are asked for at the same time share one
 * statement. By the database's clock, `now` serves only to say of moments what the caller's clock will show then.
 * After a crash of the server the windows begin anew.
 */
export function postgresRateLimits(connection: Connection, clock: StoreClock = "caller"): RateLimitStore {
  const isByDatabase = clock === "database";
  const count = connection.value("SELECT @count_admitted($1, $2, $3)");
  const group = createGroupCommit({ run: decide, maxBatch: MAX_BATCH });

  async function decide(asks: readonly Ask[]): Promise<readonly PromiseSettledResult<Admission>[]> {
    const groups = groupsOf(asks);
    const answers = await connection.call(
      "admit_all",
      [...groups.keys()],
      [...groups.values()].map(([first]) => arrayOf(first.windows.map(({ lengthMs }) => lengthMs))),
      [...groups.values()].map((group) => arrayOf(group.map(askOf))),
      isByDatabase,
    );
    const admissions = admissionsIn(asList(answers), [...groups.values()].flat());
    return asks.map((ask) => outcomeOf(admissions.get(ask)));
  }

  return {
    admit: (subject, windows, now) => group.commit({ subject, windows, now }),

    countAdmitted: async (subject, lengthMs, now) =>
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

/** The asks of each subject, in order. */
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

/** An array as PostgreSQL writes it. */
function arrayOf(values: readonly (number | string)[]): string {
  return `{${values.join(",")}}`;
}

/** Of each ask: the number of the window that refused, from 1, or 0; then what each window counts, and when it frees. */
function admissionsIn(answers: readonly unknown[], asks: readonly Ask[]): ReadonlyMap<Ask, Admission> {
  let place = 0;
  const next = () => {
    place += 1;
    return asInteger(answers[place - 1]);
  };
  return new Map(
    asks.map((ask) => {
      const refusal = next();
      const windows = ask.windows.map(() => ({ used: next(), freesAt: next() }));
      return [ask, { admitted: refusal === 0, refusedBy: refusal === 0 ? null : refusal - 1, windows }];
    }),
  );
}

function outcomeOf(admission: Admission | undefined): PromiseSettledResult<Admission> {
  return admission === undefined
    ? { status: "rejected", reason: new TypeError("the database left a decision out") }
    : { status: "fulfilled", value: admission };
}
