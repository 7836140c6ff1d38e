import type { Admission, Instant, RateLimitStore, Window, WindowState } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { asInteger, asText, orNull, type Row } from "./rows.js";

/** How often an admission also removes what has left the longest window: at every so many of its subject. */
const SWEEP_EVERY = 32;

/**
 * The exact log of admissions, a row each. A subject's numbers have no gaps, so how many admissions a window counts is
 * the distance from the first that it counts to the last: a look-up each, however long the log is. The latest row
 * stays until the subject is forgotten.
 */
export function sqliteRateLimits(connection: Connection): RateLimitStore {
  const findLatest = connection.row(
    `SELECT max(at, (SELECT asked_at FROM budgetkit_subjects WHERE subject = ?)), number
     FROM budgetkit_admissions WHERE subject = ? ORDER BY at DESC, number DESC LIMIT 1`,
  );
  const findCounted = connection.row(
    "SELECT at, number FROM budgetkit_admissions WHERE subject = ? AND at > ? ORDER BY at, number LIMIT 1 OFFSET ?",
  );
  const addSubject = connection.command(
    "INSERT INTO budgetkit_subjects (subject, longest_ms, asked_at, idle_at) VALUES (?, ?, ?, ?)",
  );
  const noteRefusal = connection.command("UPDATE budgetkit_subjects SET asked_at = ? WHERE subject = ?");
  const record = connection.command("INSERT INTO budgetkit_admissions (subject, at, number) VALUES (?, ?, ?)");
  const sweep = connection.command("DELETE FROM budgetkit_admissions WHERE subject = ? AND at <= ?");
  const forget = subjectForgetter(connection);

  function latestOf(subject: string): Latest | null {
    return orNull(findLatest(subject, subject), ([moment, number]) => ({
      moment: asInteger(moment),
      number: asInteger(number),
    }));
  }

  function stateOf(subject: string, { limit, lengthMs }: Window, moment: Instant, latest: Latest): WindowState {
    const cutoff = moment - lengthMs;
    const oldest = findCounted(subject, cutoff, 0);
    if (oldest === null) return { used: 0, freesAt: moment };
    const used = latest.number - asInteger(oldest[1]) + 1;
    // A limit that was lowered may leave the window over-full: then more than the oldest has to leave.
    const leaving = used > limit ? findCounted(subject, cutoff, used - limit) : oldest;
    return { used, freesAt: asInteger((leaving ?? oldest)[0]) + lengthMs };
  }

  function admitFirst(subject: string, windows: readonly Window[], now: Instant): Admission {
    const longestMs = longestOf(windows);
    addSubject(subject, longestMs, now, now + longestMs);
    record(subject, now, 1);
    const states = windows.map(({ lengthMs }) => ({ used: 1, freesAt: now + lengthMs }));
    return { admitted: true, refusedBy: null, windows: states };
  }

  function admit(subject: string, windows: readonly Window[], now: Instant): Admission {
    const latest = latestOf(subject);
    if (latest === null) return admitFirst(subject, windows, now);
    if (latest.moment - now > longestOf(windows)) {
      forget(subject); // the clock was ahead then
      return admitFirst(subject, windows, now);
    }
    const moment = Math.max(now, latest.moment);
    const counts = windows.map((window) => ({ window, state: stateOf(subject, window, moment, latest) }));
    const refusedBy = findRefusal(counts);
    if (refusedBy !== null) {
      if (moment > latest.moment) noteRefusal(moment, subject);
      return { admitted: false, refusedBy, windows: counts.map(({ state }) => state) };
    }
    const number = latest.number + 1;
    record(subject, moment, number);
    if (number % SWEEP_EVERY === 0) sweep(subject, moment - longestOf(windows));
    return { admitted: true, refusedBy: null, windows: counts.map((count) => charged(count, moment)) };
  }

  function countAdmitted(subject: string, lengthMs: number, now: Instant): number {
    const latest = latestOf(subject);
    if (latest === null || latest.moment - now > lengthMs) return 0; // the next decision begins anew
    const oldest = findCounted(subject, Math.max(now, latest.moment) - lengthMs, 0);
    return oldest === null ? 0 : latest.number - asInteger(oldest[1]) + 1;
  }

  return {
    admit: (subject, windows, now) => connection.write(() => admit(subject, windows, now)),
    countAdmitted: (subject, lengthMs, now) => connection.snapshot(() => countAdmitted(subject, lengthMs, now)),
    pruneWindows: windowPruner(connection),
  };
}

/** The last that was admitted for a subject, and the latest moment at which it asked, refusals included. */
interface Latest {
  readonly moment: Instant;
  readonly number: number;
}

/** What a window counts before the decision. */
interface Count {
  readonly window: Window;
  readonly state: WindowState;
}

/** Of the windows that are full the one that frees last; null when there is room in all. */
function findRefusal(counts: readonly Count[]): number | null {
  let refusedBy: number | null = null;
  let freesLast = Number.NEGATIVE_INFINITY;
  for (const [index, { window, state }] of counts.entries()) {
    if (state.used < window.limit || state.freesAt <= freesLast) continue;
    refusedBy = index;
    freesLast = state.freesAt;
  }
  return refusedBy;
}

function charged({ window, state }: Count, moment: Instant): WindowState {
  return state.used === 0
    ? { used: 1, freesAt: moment + window.lengthMs }
    : { used: state.used + 1, freesAt: state.freesAt };
}

function longestOf(windows: readonly Window[]): number {
  return Math.max(...windows.map(({ lengthMs }) => lengthMs));
}

function subjectForgetter(connection: Connection): (subject: string) => void {
  const forgetAdmissions = connection.command("DELETE FROM budgetkit_admissions WHERE subject = ?");
  const forgetSubject = connection.command("DELETE FROM budgetkit_subjects WHERE subject = ?");
  return (subject) => {
    forgetAdmissions(subject);
    forgetSubject(subject);
  };
}

/**
 * Admissions do not move the moment from which their subject may be idle, which keeps them cheap. So a subject whose
 * moment has come is looked at: it is forgotten when nothing was admitted since, and given a later moment otherwise.
 */
function windowPruner(connection: Connection): RateLimitStore["pruneWindows"] {
  const findDue = connection.rows(
    `SELECT subject, longest_ms + (SELECT max(at) FROM budgetkit_admissions AS a WHERE a.subject = s.subject)
     FROM budgetkit_subjects AS s WHERE idle_at <= ? ORDER BY idle_at LIMIT ?`,
  );
  const postpone = connection.command("UPDATE budgetkit_subjects SET idle_at = ? WHERE subject = ?");
  const forget = subjectForgetter(connection);

  function isForgotten([name, from]: Row, now: Instant): boolean {
    const subject = asText(name);
    const idleAt = asInteger(from);
    if (idleAt > now) {
      postpone(idleAt, subject);
      return false;
    }
    forget(subject);
    return true;
  }

  return (now, limit) =>
    connection.write(() => {
      let forgotten = 0;
      while (forgotten < limit) {
        const due = findDue(now, limit - forgotten);
        if (due.length === 0) break;
        forgotten += due.filter((row) => isForgotten(row, now)).length;
      }
      return forgotten;
    });
}
