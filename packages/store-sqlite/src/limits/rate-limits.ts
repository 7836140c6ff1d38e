import {
  type Admission,
  asInteger,
  asText,
  decideAdmission,
  decisionTime,
  type Instant,
  longestOf,
  orNull,
  type RateLimitStore,
  type Row,
  type Window,
  type WindowCounts,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";

/** Every 32nd admission of a subject also deletes what left its longest window. */
const SWEEP_EVERY = 32;
/** Admissions that one transaction deletes at most, apart from those of the same millisecond: about 2 ms. */
const ROWS_PER_STEP = 1_000;
/** Subjects that one transaction checks at most. */
const SUBJECTS_PER_STEP = 250;
/** Transactions of one call of the pruner. Requests are served between them. */
const STEPS = 50;

/**
 * The exact log of admissions, one row each. The numbers of a subject have no gaps, so a window counts from the first
 * number in it to the last: two look-ups, however long the log is. The latest row stays until the subject is forgotten.
 */
export function sqliteRateLimits(connection: Connection): RateLimitStore {
  const findLatest = connection.row(
    `SELECT max(at, (SELECT asked_at FROM budgetkit_subjects WHERE subject = ?)), number
     FROM budgetkit_admissions WHERE subject = ? ORDER BY at DESC, number DESC LIMIT 1`,
  );
  const countsOf = windowCounter(connection);
  const addSubject = connection.command(
    "INSERT INTO budgetkit_subjects (subject, longest_ms, asked_at, idle_at) VALUES (?, ?, ?, ?)",
  );
  const noteRefusal = connection.command("UPDATE budgetkit_subjects SET asked_at = ? WHERE subject = ?");
  const record = connection.command("INSERT INTO budgetkit_admissions (subject, at, number) VALUES (?, ?, ?)");
  const trim = trimmer(connection);
  const forget = subjectForgetter(connection);

  function latestOf(subject: string): Latest | null {
    return orNull(findLatest(subject, subject), ([at, number]) => ({ at: asInteger(at), number: asInteger(number) }));
  }

  function admitFirst(subject: string, windows: readonly Window[], now: Instant): Admission {
    const longestMs = longestOf(windows);
    addSubject(subject, longestMs, now, now + longestMs);
    record(subject, now, 1);
    return decideAdmission(windows, NO_ADMISSIONS, now);
  }

  function admit(subject: string, windows: readonly Window[], now: Instant): Admission {
    const latest = latestOf(subject);
    if (latest === null) return admitFirst(subject, windows, now);
    const at = decisionTime(now, latest.at, longestOf(windows));
    if (at === null) {
      forget(subject);
      return admitFirst(subject, windows, now);
    }
    const admission = decideAdmission(windows, countsOf(subject, windows, at, latest.number), at);
    if (!admission.admitted) {
      if (at > latest.at) noteRefusal(at, subject);
      return admission;
    }
    const number = latest.number + 1;
    record(subject, at, number);
    if (number % SWEEP_EVERY === 0) trim(subject, at - longestOf(windows), ROWS_PER_STEP);
    return admission;
  }

  function countConsumed(subject: string, lengthMs: number, now: Instant): number {
    const latest = latestOf(subject);
    const at = latest === null ? null : decisionTime(now, latest.at, lengthMs);
    if (latest === null || at === null) return 0; // the next decision begins a new log
    return countsOf(subject, [{ lengthMs, limit: 1 }], at, latest.number).usedOf(0);
  }

  return {
    consume: (subject, windows, now) => connection.write(() => admit(subject, windows, now)),
    countConsumed: (subject, lengthMs, now) => connection.snapshot(() => countConsumed(subject, lengthMs, now)),
    pruneWindows: windowPruner(connection),
  };
}

/** The latest admission of a subject. */
interface Latest {
  readonly at: Instant; // or its latest refusal, if that is later
  readonly number: number;
}

/** For the first admission of a subject. */
const NO_ADMISSIONS: WindowCounts = { usedOf: () => 0, admittedAt: () => 0 };

/** What the windows of a subject count at `at`, when the number of its latest admission is `latest`. */
function windowCounter(
  connection: Connection,
): (subject: string, windows: readonly Window[], at: Instant, latest: number) => WindowCounts {
  const findCounted = connection.row(
    "SELECT at, number FROM budgetkit_admissions WHERE subject = ? AND at > ? ORDER BY at, number LIMIT 1 OFFSET ?",
  );
  return (subject, windows, at, latest) => {
    const counted = windows.map(({ lengthMs }) => {
      const since = at - lengthMs;
      const oldest = findCounted(subject, since, 0);
      if (oldest === null) return { since, oldestAt: at, used: 0 };
      return { since, oldestAt: asInteger(oldest[0]), used: latest - asInteger(oldest[1]) + 1 };
    });
    return {
      usedOf: (index) => counted[index]?.used ?? 0,
      admittedAt: (index, nth) => {
        const { since, oldestAt } = counted[index] ?? { since: at, oldestAt: at };
        return nth === 0
          ? oldestAt
          : (orNull(findCounted(subject, since, nth), ([time]) => asInteger(time)) ?? oldestAt);
      },
    };
  };
}

function subjectForgetter(connection: Connection): (subject: string) => void {
  const forgetAdmissions = connection.command("DELETE FROM budgetkit_admissions WHERE subject = ?");
  const forgetSubject = connection.command("DELETE FROM budgetkit_subjects WHERE subject = ?");
  return (subject) => {
    forgetAdmissions(subject);
    forgetSubject(subject);
  };
}

/** Deletes admissions of a subject up to a time, the oldest first, at most `limit`. Returns the number deleted. */
function trimmer(connection: Connection): (subject: string, until: Instant, limit: number) => number {
  const remove = connection.command(
    `DELETE FROM budgetkit_admissions WHERE subject = ? AND (at, number) IN (
       SELECT at, number FROM budgetkit_admissions WHERE subject = ? AND at <= ? ORDER BY at, number LIMIT ?
     )`,
  );
  return (subject, until, limit) => remove(subject, subject, until, limit);
}

/**
 * An admission does not update `idle_at` of its subject, which keeps it cheap. The pruner checks the subjects whose time
 * has come: it forgets those without newer admissions and sets a later time for the others. It deletes only what no
 * decision can count again, even if the clock steps back: admissions that had left the window at the subject's latest one.
 */
function windowPruner(connection: Connection): RateLimitStore["pruneWindows"] {
  const findDue = connection.rows(
    `SELECT subject, longest_ms, (SELECT max(at) FROM budgetkit_admissions AS a WHERE a.subject = s.subject)
     FROM budgetkit_subjects AS s WHERE idle_at <= ? ORDER BY idle_at LIMIT ?`,
  );
  const postpone = connection.command("UPDATE budgetkit_subjects SET idle_at = ? WHERE subject = ?");
  const trim = trimmer(connection);
  const forget = subjectForgetter(connection);

  /** Deletes at most `rows` admissions of a subject. `rows` are left when the subject is done. */
  function prune([name, longest, latest]: Row, now: Instant, rows: number): { rows: number; isForgotten: boolean } {
    const subject = asText(name);
    const [longestMs, latestAt] = [asInteger(longest), asInteger(latest)];
    const isIdle = latestAt + longestMs <= now;
    const left = rows - trim(subject, isIdle ? latestAt - 1 : latestAt - longestMs, rows);
    if (left > 0 && isIdle) forget(subject);
    if (left > 0 && !isIdle) postpone(latestAt + longestMs, subject);
    return { rows: left, isForgotten: left > 0 && isIdle };
  }

  function step(now: Instant, limit: number): { forgotten: number; isDone: boolean } {
    const due = findDue(now, Math.min(limit, SUBJECTS_PER_STEP));
    let [forgotten, rows] = [0, ROWS_PER_STEP];
    for (const row of due) {
      const pruned = prune(row, now, rows);
      rows = pruned.rows;
      if (pruned.isForgotten) forgotten += 1;
      if (rows <= 0) break;
    }
    return { forgotten, isDone: due.length === 0 };
  }

  return async (now, limit) => {
    let forgotten = 0;
    for (let steps = 0; steps < STEPS && forgotten < limit; steps += 1) {
      const done = await connection.write(() => step(now, limit - forgotten));
      forgotten += done.forgotten;
      if (done.isDone) break;
    }
    return forgotten;
  };
}
