import { SECOND_MS } from "../../kernel/clock.js";
import type { BudgetContext } from "../budget-context.js";
import { MAIL_LEASE_MS, type Mail } from "../mail.js";
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
  const { onError } = context;
  const outbox = createOutbox(context, wake);
  const reminders = reminderRounds(context);
  let timer: NodeJS.Timeout | null = null;
  let isRequested = false;

  function wake(): void {
    if (timer === null || isRequested) return;
    isRequested = true;
    setImmediate(() => {
      isRequested = false;
      if (timer !== null) outbox.fill().catch(onError);
    });
  }

  const poll = () => void reminders.run(() => timer !== null).then(wake, onError);

  return {
    tick: async () => {
      outbox.open();
      await reminders.run(outbox.isOpen);
      for (;;) {
        await outbox.fill();
        if (outbox.inFlight.size === 0) return;
        await Promise.race(outbox.inFlight);
      }
    },
    start: () => {
      outbox.open();
      timer ??= setInterval(poll, POLL_MS).unref();
      poll();
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
      await Promise.all([reminders.ended(), outbox.close()]);
      await Promise.all(outbox.inFlight);
    },
    wake,
  };
}

/** The mails that this process sends. `onEnd` is called when one has ended. */
function createOutbox(context: MailWorkerContext, onEnd: () => void) {
  const { clock, store } = context.budgets;
  const inFlight = new Set<Promise<void>>();
  let filling: Promise<void> = Promise.resolve();
  let isOpen = true;

  function send(mail: Mail, claimedMs: number): void {
    const sending: Promise<void> = import("./attempt-mail.js") // with the first mail
      .then(({ attemptMail }) => attemptMail(context, mail, claimedMs))
      .catch(context.onError)
      .finally(() => {
        inFlight.delete(sending);
        onEnd();
      });
    inFlight.add(sending);
  }

  async function claimAll(): Promise<void> {
    while (isOpen && inFlight.size < SLOTS) {
      const now = clock.now();
      const claimedMs = clock.monotonicMs();
      const mails = await store.claimMails(now, now + MAIL_LEASE_MS, SLOTS - inFlight.size);
      if (mails.length === 0) return;
      for (const mail of mails) send(mail, claimedMs);
    }
  }

  return {
    inFlight,
    isOpen: () => isOpen,
    open: () => {
      isOpen = true;
    },
    /** Claims mails for the free slots. Calls never overlap. */
    fill: (): Promise<void> => {
      const filled = filling.then(claimAll);
      filling = filled.catch(() => {});
      return filled;
    },
    /** Claims no further mails; resolves when no claim is under way. */
    close: (): Promise<void> => {
      isOpen = false;
      return filling;
    },
  };
}

/** Rounds of reminders, which never overlap. */
function reminderRounds({ budgets, onError }: MailWorkerContext) {
  let last: Promise<void> = Promise.resolve();
  return {
    run: (isActive: () => boolean): Promise<void> => {
      const round = last.then(async () => {
        const { queueReminders } = await import("./queue-reminders.js");
        await queueReminders(budgets, isActive, onError);
      });
      last = round.catch(() => {});
      return round;
    },
    ended: () => last,
  };
}
