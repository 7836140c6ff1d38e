import { SECOND_MS } from "../../kernel/clock.js";
import type { BudgetContext } from "../budget-context.js";
import { MAIL_LEASE_MS } from "../mail.js";
import type { MailAttemptContext } from "./attempt-mail.js";

export interface MailWorkerContext extends MailAttemptContext {
  readonly budgets: BudgetContext;
}

/** Sends queued mails and reminders. Several processes share the work by the leases of the store. */
export interface MailWorker {
  /** Sends what is due, and waits for it. */
  tick(): Promise<void>;
  /** Sends in the background until {@link MailWorker.stop}: at once when woken, else within seconds. */
  start(): void;
  /** Claims no further mails, and waits for those that are being sent, at most until their deadline. */
  stop(): Promise<void>;
  /** Does nothing unless started. */
  wake(): void;
}

/** Mails that a process sends at the same time. */
const SLOTS = 5;
const POLL_MS = 5 * SECOND_MS;

export function createMailWorker(context: MailWorkerContext): MailWorker {
  const { budgets, onError } = context;
  const inFlight = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let isRequested = false;
  let isStopping = false;
  let filling: Promise<void> = Promise.resolve();

  /** Claims mails for the free slots. Calls never overlap. */
  function fill(): Promise<void> {
    const filled = filling.then(async () => {
      while (!isStopping && inFlight.size < SLOTS) {
        const now = budgets.clock.now();
        const claimedMs = budgets.clock.monotonicMs();
        const mails = await budgets.store.claimMails(now, now + MAIL_LEASE_MS, SLOTS - inFlight.size);
        if (mails.length === 0) return;
        for (const mail of mails) {
          const sending: Promise<void> = import("./attempt-mail.js") // with the first mail
            .then(({ attemptMail }) => attemptMail(context, mail, claimedMs))
            .catch(onError)
            .finally(() => {
              inFlight.delete(sending);
              wake();
            });
          inFlight.add(sending);
        }
      }
    });
    filling = filled.catch(() => {});
    return filled;
  }

  function wake(): void {
    if (timer === null || isRequested) return;
    isRequested = true;
    setImmediate(() => {
      isRequested = false;
      if (timer !== null) fill().catch(onError);
    });
  }

  async function remind(isActive: () => boolean): Promise<void> {
    const { queueReminders } = await import("./queue-reminders.js");
    await queueReminders(budgets, isActive, onError);
  }

  let reminding: Promise<void> = Promise.resolve();
  /** Rounds never overlap. */
  function remindNext(isActive: () => boolean): Promise<void> {
    const reminded = reminding.then(() => remind(isActive));
    reminding = reminded.catch(() => {});
    return reminded;
  }
  const poll = () => void remindNext(() => timer !== null).then(wake, onError);

  return {
    tick: async () => {
      isStopping = false;
      await remindNext(() => !isStopping);
      for (;;) {
        await fill();
        if (inFlight.size === 0) return;
        await Promise.race(inFlight);
      }
    },
    start: () => {
      isStopping = false;
      timer ??= setInterval(poll, POLL_MS).unref();
      poll();
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
      isStopping = true;
      await Promise.all([reminding, filling]);
      await Promise.all(inFlight);
    },
    wake,
  };
}
