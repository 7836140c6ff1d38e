import type { Instant } from "@budgetkit/core/store";
import { asInteger } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

/** Milliseconds since the machine started: the same for all its processes, and never set. */
export type Uptime = () => number;

export const machineUptime: Uptime = () => Number(process.hrtime.bigint() / 1_000_000n);

/** The first call of a process. */
interface Start {
  readonly now: Instant;
  readonly uptime: number;
}

/**
 * The time that all processes of the file share. A process begins at the latest of: its own time, the time of the file
 * by the uptime, and the last time recorded. From then on it goes by its own time, which is steady. So a clock
 * that was set back between two starts neither prolongs a window nor empties one. A process that begins ahead takes the
 * others along: each follows once it meets a time that was recorded ahead of its own. The uptime starts again with the
 * machine: then the file's time continues from the last one recorded, or from the clock.
 */
export function fileTime(connection: Connection, uptime: Uptime) {
  const findBegin = connection.value("SELECT uptime_began_at FROM budgetkit_limit_time");
  const saveBegin = connection.command(
    `INSERT INTO budgetkit_limit_time (id, uptime_began_at) VALUES (1, ?)
     ON CONFLICT (id) DO UPDATE SET uptime_began_at = excluded.uptime_began_at`,
  );
  const findLatest = connection.value(
    `SELECT max(max(asked_at, coalesce((SELECT max(latest) FROM budgetkit_runs WHERE subject_id = id), 0)))
     FROM budgetkit_subjects`,
  );
  let start: Start | null = null;
  let agreedLead: number | null = null;

  function findLead(now: Instant): number {
    const from = begin(now);
    const present = Math.max(now, from.now + uptime() - from.uptime); // the call may have waited for the lock
    return Math.max(0, leadByUptime(from), asInteger(findLatest() ?? 0) - present);
  }

  function leadByUptime(from: Start): number {
    return asInteger(findBegin() ?? from.now - from.uptime) + from.uptime - from.now;
  }

  /** Takes the time of the process's first call, before that call waits for a lock. */
  function begin(now: Instant): Start {
    start ??= { now, uptime: uptime() };
    return start;
  }

  return {
    begin,

    /** How far the file's time is ahead of the process's. For transactions that write. */
    agree: (now: Instant): number => {
      if (agreedLead !== null) return agreedLead;
      agreedLead = findLead(now);
      const from = begin(now);
      saveBegin(from.now + agreedLead - from.uptime);
      return agreedLead;
    },

    /** The same once a recorded time is ahead, by a call that overtook this one or by a process that began ahead. */
    follow: (now: Instant): number => {
      agreedLead = Math.max(agreedLead ?? 0, leadByUptime(begin(now)));
      return agreedLead;
    },

    /** The same as `agree` for transactions that only read. */
    read: (now: Instant): number => agreedLead ?? findLead(now),
  };
}

export type FileTime = ReturnType<typeof fileTime>;
