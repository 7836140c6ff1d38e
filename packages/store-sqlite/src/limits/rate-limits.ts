import {
  type Admission,
  type Instant,
  longestOf,
  type RateLimitStore,
  type Window,
  withoutLead,
} from "@budgetkit/core/store";
import { asInteger, asText, type Row } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";
import { type FileTime, fileTime, machineUptime, type Uptime } from "./file-time.js";
import { ROWS_PER_STEP, runTrimmer, type Subject, type SubjectLogs, subjectLogs, timesIn } from "./subject-logs.js";

/** Subjects that one transaction checks at most. */
const SUBJECTS_PER_STEP = 250;
/** Transactions of one call of the pruner. Requests are served between them. */
const STEPS = 50;

/**
 * The exact log of admissions, in a file that processes share. The decisions that are asked for in one turn of the event
 * loop share a transaction: it brings the logs in memory up to date, decides in memory, and writes one row a subject. The
 * transaction holds the write lock, so no other process decides meanwhile, and no decision is returned before its commit.
 */
export function sqliteRateLimits(connection: Connection, uptime: Uptime = machineUptime): RateLimitStore {
  const logs = subjectLogs(connection);
  const time = fileTime(connection, uptime);
  return {
    consume: decider(connection, logs, time),
    countConsumed: admissionCounter(connection, time),
    pruneWindows: windowPruner(connection, logs, time),
  };
}

interface Request {
  readonly subject: string;
  readonly windows: readonly Window[];
  readonly now: Instant;
}

/** Requests whose transaction has not begun. */
interface Gathered {
  readonly requests: Request[];
  readonly admissions: Promise<readonly Admission[]>;
}

function decider(connection: Connection, logs: SubjectLogs, time: FileTime): RateLimitStore["consume"] {
  let gathered: Gathered | null = null;
  let isCommitted = false; // the last transaction that decided

  function gather(): Gathered {
    const requests: Request[] = [];
    const decided = connection.write(() => {
      if (gathered?.requests === requests) gathered = null;
      logs.begin(isCommitted);
      isCommitted = false;
      return decideAll(logs, time, requests);
    });
    const admissions = decided.then(
      (outcome) => {
        isCommitted = true;
        return outcome;
      },
      (error: unknown) => {
        if (gathered?.requests === requests) gathered = null; // it has not begun
        throw error;
      },
    );
    return { requests, admissions };
  }

  return async (subject, windows, now) => {
    time.begin(now);
    gathered ??= gather();
    const { requests, admissions } = gathered;
    const index = requests.push({ subject, windows, now }) - 1;
    const admission = (await admissions)[index];
    if (admission === undefined) throw new Error("the request was not decided");
    return admission;
  };
}

/** Decides in the order of the requests, and writes what was decided. */
function decideAll(logs: SubjectLogs, time: FileTime, requests: readonly Request[]): Admission[] {
  const asked = new Map<string, { readonly subject: Subject; readonly longestMs: number }>();
  const admissions = requests.map(({ subject: name, windows, now }) => {
    const longestMs = longestOf(windows);
    const agreed = time.agree(now);
    const subject = asked.get(name)?.subject ?? logs.find(name, longestMs) ?? logs.add(name, longestMs, now + agreed);
    const lead = subject.latest > now + agreed ? time.follow(now) : agreed;
    const at = Math.max(now + lead, subject.latest);
    asked.set(name, { subject, longestMs });
    const admission = subject.log.admit(windows, at);
    if (admission.refusal === null) {
      subject.last += 1;
      subject.admittedAt = at;
    }
    subject.latest = at;
    return withoutLead(admission, lead);
  });
  for (const { subject, longestMs } of asked.values()) logs.write(subject, longestMs);
  return admissions;
}

/** Counts in the file: the runs of a subject number its admissions without gaps. */
function admissionCounter(connection: Connection, time: FileTime): RateLimitStore["countConsumed"] {
  const findLatest = connection.row(
    `SELECT id, max(asked_at, latest), last FROM budgetkit_subjects JOIN budgetkit_runs ON subject_id = id
     WHERE subject = ? ORDER BY latest DESC, last DESC LIMIT 1`,
  );
  const findFirst = connection.row(
    "SELECT last, times FROM budgetkit_runs WHERE subject_id = ? AND latest > ? ORDER BY latest, last LIMIT 1",
  );

  function count(subject: string, lengthMs: number, now: Instant): number {
    const row = findLatest(subject);
    if (row === null) return 0;
    const [id, latest, last] = row.map(asInteger);
    const since = Math.max(now + time.read(now), Number(latest)) - lengthMs;
    const first = findFirst(Number(id), since);
    if (first === null) return 0;
    const inFirst = timesIn(first[1]).filter((admitted) => admitted > since).length;
    return Number(last) - asInteger(first[0]) + inFirst;
  }

  return (subject, lengthMs, now) => {
    time.begin(now);
    return connection.snapshot(() => count(subject, lengthMs, now));
  };
}

/**
 * An admission does not update `idle_at` of its subject, which keeps it cheap. The pruner checks the subjects whose time
 * has come: it forgets those without newer admissions and sets a later time for the others. It deletes only what no
 * decision can count again, even one of an earlier time: admissions that had left the window at the subject's latest one.
 */
function windowPruner(connection: Connection, logs: SubjectLogs, time: FileTime): RateLimitStore["pruneWindows"] {
  const findDue = connection.rows(
    `SELECT subject, id, longest_ms, coalesce((SELECT max(latest) FROM budgetkit_runs WHERE subject_id = id), 0)
     FROM budgetkit_subjects WHERE idle_at <= ? ORDER BY idle_at LIMIT ?`,
  );
  const postpone = connection.command("UPDATE budgetkit_subjects SET idle_at = ? WHERE id = ?");
  const trim = runTrimmer(connection);

  /** Deletes at most `rows` runs of a subject. `rows` are left when the subject is done. */
  function prune(row: Row, now: Instant, rows: number): { rows: number; isForgotten: boolean } {
    const [name, ...columns] = row;
    const [id = 0, longestMs = 0, latest = 0] = columns.map(asInteger);
    const isIdle = latest + longestMs <= now;
    const left = rows - trim(id, isIdle ? latest - 1 : latest - longestMs, rows);
    if (left > 0 && isIdle) logs.forget({ name: asText(name), id });
    if (left > 0 && !isIdle) postpone(latest + longestMs, id);
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
      const done = await connection.write(() => step(now + time.agree(now), limit - forgotten));
      forgotten += done.forgotten;
      if (done.isDone) break;
    }
    return forgotten;
  };
}
