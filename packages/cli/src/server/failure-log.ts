import type { Clock } from "@budgetkit/core";
import { StoreUnavailable } from "@budgetkit/core/store";
import { complaintOf, withoutPasswords } from "../terminal/complaint.js";

export interface FailureLogOptions {
  /** True when the service can serve; called once a second during an outage. */
  isReady(): Promise<boolean>;
  /** Prints one line with the time. */
  print(level: "error" | "info", text: string): void;
  readonly clock: Pick<Clock, "now">;
}

/** Logs failures for the operator. */
export interface FailureLog {
  /** The `onError` of the service. */
  report(error: unknown, requestId?: string): void;
  /** Ends the polling. */
  stop(): void;
}

const ASKS_EVERY_MS = 1_000;

/** How many different reasons of one outage are logged. */
const MOST_REASONS = 10;

interface Outage {
  readonly since: number;
  readonly reasons: Set<string>; // logged so far
  failures: number;
}

/**
 * During an outage of the store every request fails. The log has one line for its start, with the first failure, one for
 * its end, with the number of failures, and one for each further reason. Every other failure is logged in full.
 */
export function createFailureLog({ isReady, print: say, clock }: FailureLogOptions): FailureLog {
  let outage: Outage | null = null;
  let failedSinceCheck = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  /** A store whose disk is full still reads, and so reports ready: an outage is over only after a second without failures. */
  async function isOver(): Promise<boolean> {
    const failed = failedSinceCheck;
    failedSinceCheck = false;
    return !failed && (await isReady().catch(() => false));
  }

  function watch(ongoing: Outage): void {
    timer = setTimeout(async () => {
      const over = await isOver();
      if (isStopped) return;
      if (!over) return watch(ongoing);
      const seconds = Math.ceil((clock.now() - ongoing.since) / 1_000);
      say("info", `The store serves again after ${seconds} s, in which ${ongoing.failures} requests or rounds failed.`);
      outage = null;
    }, ASKS_EVERY_MS);
    timer.unref();
  }

  function report(error: unknown, requestId?: string): void {
    if (error instanceof AggregateError) {
      // several steps of the maintenance
      for (const each of error.errors) report(each, requestId);
      return;
    }
    const who = requestId === undefined ? "" : ` Request ${requestId}.`;
    if (!(error instanceof StoreUnavailable)) {
      say("error", `${complaintOf(error)}${who}`);
      return;
    }
    failedSinceCheck = true;
    const reason = withoutPasswords(error.message);
    if (outage === null) {
      outage = { since: clock.now(), reasons: new Set([reason]), failures: 1 };
      say("error", `The store cannot serve: ${reason}.${who} Failures are only counted until it serves again.`);
      if (!isStopped) watch(outage);
      return;
    }
    outage.failures += 1;
    if (outage.reasons.has(reason) || outage.reasons.size >= MOST_REASONS) return;
    outage.reasons.add(reason);
    say("error", `The store cannot serve either: ${reason}.${who}`);
  }

  return {
    report,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
