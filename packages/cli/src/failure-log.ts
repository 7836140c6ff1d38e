import type { Clock } from "@budgetkit/core";
import { StoreUnavailable } from "@budgetkit/core/store";
import { complaintOf, withoutPasswords } from "./complaint.js";

export interface FailureLogOptions {
  /** Whether the service can serve; asked once a second while it could not. */
  isReady(): Promise<boolean>;
  /** Takes a line without its end. */
  print(line: string): void;
  readonly clock: Pick<Clock, "now">;
}

/** Tells the operator of failures, a line or more each, with the time. */
export interface FailureLog {
  /** What `onError` of the service is told. */
  report(error: unknown, requestId?: string): void;
  /** Asks no more. */
  stop(): void;
}

const ASKS_EVERY_MS = 1_000;

/** Of one outage no more different reasons are told. */
const MOST_REASONS = 10;

interface Outage {
  readonly since: number;
  readonly reasons: Set<string>; // that have been told
  failures: number;
}

/**
 * An outage of the store makes everything fail for as long as it lasts: its beginning is told, with the first failure, and
 * its end, with how many there were; and each other reason that comes up meanwhile. Any other failure is told whole.
 */
export function createFailureLog({ isReady, print, clock }: FailureLogOptions): FailureLog {
  let outage: Outage | null = null;
  let failsStill = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const say = (level: "error" | "info", text: string) =>
    print(`${new Date(clock.now()).toISOString()} ${level} ${text}`);

  /** A store whose disk is full is ready to be read: nothing may have failed since the last look either. */
  async function isOver(): Promise<boolean> {
    const hasFailed = failsStill;
    failsStill = false;
    return !hasFailed && (await isReady().catch(() => false));
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

  return {
    report: (error, requestId) => {
      const who = requestId === undefined ? "" : ` Request ${requestId}.`;
      if (!(error instanceof StoreUnavailable)) {
        say("error", `${complaintOf(error)}${who}`);
        return;
      }
      failsStill = true;
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
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
