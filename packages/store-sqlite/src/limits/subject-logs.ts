import { type Instant, SlidingWindowLog } from "@budgetkit/core/store";
import { asDocument, asInteger, asNumber, type Row } from "@budgetkit/store-kit";
import { LRUCache } from "lru-cache";
import type { Connection } from "../engine/connection.js";

/** Before every time. */
const NEVER: Instant = Number.MIN_SAFE_INTEGER;

/** A subject of the limiter: its log in memory, and how much of it the file has. */
export interface Subject {
  readonly name: string;
  readonly id: number;
  readonly log: SlidingWindowLog;
  last: number; // the number of the last admission: how many the subject ever had
  admittedAt: Instant; // the time of the last admission
  latest: Instant; // the time of the last decision
  askedAt: Instant; // the time of the last refusal in the file
  written: number; // the number of the last admission in the file
  version: unknown; // of the file when the log was read
}

/** The subjects of the file, those in use with their logs in memory. For calls inside a transaction that writes. */
export interface SubjectLogs {
  /**
   * Begins a transaction. Logs that are in memory hold while no other process has written the file, unless `isCommitted`
   * is false: then the last transaction, whose admissions they contain, may have been rolled back.
   */
  begin(isCommitted: boolean): void;
  /** As the file has it; null = unknown. */
  find(name: string, longestMs: number): Subject | null;
  add(name: string, longestMs: number, now: Instant): Subject;
  /** Writes what was decided since the last call: one row for all admissions. */
  write(subject: Subject, longestMs: number): void;
  forget(subject: Pick<Subject, "name" | "id">): void;
}

/** Subjects with a log in memory. */
const MAX_LOGS = 10_000;

/** Every 32nd admission of a subject also deletes what left its longest window. */
const SWEEP_EVERY = 32;
/** Runs that one transaction deletes at most: about 2 ms. */
export const ROWS_PER_STEP = 1_000;

/**
 * Another process writes admissions at the end of a log, deletes those that left the window, or forgets the subject: the
 * next one of that name has another id. So a log in memory is brought up to date by the runs that follow its last number,
 * or read again when the id is another.
 */
export function subjectLogs(connection: Connection): SubjectLogs {
  const kept = new LRUCache<string, Subject>({ max: MAX_LOGS });
  const dataVersion = connection.value("PRAGMA data_version");
  const findRow = connection.row("SELECT id, asked_at FROM budgetkit_subjects WHERE subject = ?");
  const insert = connection.value(
    "INSERT INTO budgetkit_subjects (subject, longest_ms, asked_at, idle_at) VALUES (?, ?, ?, ?) RETURNING id",
  );
  const remove = connection.command("DELETE FROM budgetkit_subjects WHERE id = ?");
  const runs = runTable(connection);
  let version: unknown = null;

  function catchUp(subject: Subject, askedAt: Instant, longestMs: number): Subject {
    const [latest, last] = runs.findLatest(subject.id);
    subject.latest = Math.max(askedAt, latest);
    if (last > subject.last) {
      for (const at of runs.timesAfter(subject, subject.latest - longestMs)) subject.log.record(at);
      subject.last = last; // those between that are not found are out of every window
      subject.admittedAt = latest;
    }
    subject.askedAt = askedAt;
    subject.written = last;
    subject.version = version;
    return subject;
  }

  return {
    begin: (isCommitted) => {
      if (!isCommitted) kept.clear();
      version = dataVersion();
    },

    find: (name, longestMs) => {
      const known = kept.get(name);
      if (known !== undefined && known.version === version) return known;
      const row = findRow(name);
      if (row === null) return null;
      const [id, askedAt] = [asInteger(row[0]), asInteger(row[1])];
      const subject = known?.id === id ? known : newSubject(name, id, askedAt, version);
      kept.set(name, subject);
      return catchUp(subject, askedAt, longestMs);
    },

    add: (name, longestMs, now) => {
      const subject = newSubject(name, asInteger(insert(name, longestMs, now, now + longestMs)), now, version);
      kept.set(name, subject);
      return subject;
    },

    write: subjectWriter(connection, runs),

    forget: ({ name, id }) => {
      runs.remove(id);
      remove(id);
      kept.delete(name);
    },
  };
}

function subjectWriter(connection: Connection, runs: ReturnType<typeof runTable>): SubjectLogs["write"] {
  const noteRefusal = connection.command("UPDATE budgetkit_subjects SET asked_at = ? WHERE id = ?");
  return (subject, longestMs) => {
    const { id, log, last, admittedAt, latest, written } = subject;
    if (last > written) {
      runs.insert(id, admittedAt, last, JSON.stringify(log.lastTimes(last - written)));
      if (last % SWEEP_EVERY < last - written) runs.trim(id, latest - longestMs, ROWS_PER_STEP);
    }
    subject.written = last;
    if (latest <= Math.max(admittedAt, subject.askedAt)) return;
    noteRefusal(latest, id);
    subject.askedAt = latest;
  };
}

function newSubject(name: string, id: number, askedAt: Instant, version: unknown): Subject {
  const log = new SlidingWindowLog();
  return { name, id, log, last: 0, admittedAt: NEVER, latest: askedAt, askedAt, written: 0, version };
}

function runTable(connection: Connection) {
  const findLatest = connection.row(
    "SELECT latest, last FROM budgetkit_runs WHERE subject_id = ? ORDER BY latest DESC, last DESC LIMIT 1",
  );
  const findAfter = connection.values(
    "SELECT times FROM budgetkit_runs WHERE subject_id = ? AND latest >= ? AND last > ? ORDER BY latest, last",
  );
  return {
    insert: connection.command("INSERT INTO budgetkit_runs (subject_id, latest, last, times) VALUES (?, ?, ?, ?)"),
    remove: connection.command("DELETE FROM budgetkit_runs WHERE subject_id = ?"),
    trim: runTrimmer(connection),
    /** Time and number of the last admission; {@link NEVER} and 0 when there is none. */
    findLatest: (id: number): readonly [Instant, number] => {
      const [latest = NEVER, last = 0] = (findLatest(id) ?? []).map(asInteger);
      return [latest, last];
    },
    /** The times of the admissions that the log lacks, later than `since` or of runs that end later. */
    timesAfter: ({ id, admittedAt, last }: Subject, since: Instant): Instant[] =>
      findAfter(id, Math.max(since, admittedAt), last).flatMap(timesIn),
  };
}

/** Deletes runs of a subject that end at or before a time, the oldest first, at most `limit`. Returns the number. */
export function runTrimmer(connection: Connection): (id: number, until: Instant, limit: number) => number {
  const remove = connection.command(
    `DELETE FROM budgetkit_runs WHERE subject_id = ? AND (latest, last) IN (
       SELECT latest, last FROM budgetkit_runs WHERE subject_id = ? AND latest <= ? ORDER BY latest, last LIMIT ?
     )`,
  );
  return (id, until, limit) => remove(id, id, until, limit);
}

/** The times of a run. */
export function timesIn(times: unknown): Instant[] {
  return asDocument<Row>(times).map(asNumber);
}
