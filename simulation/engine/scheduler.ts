import { setImmediate as realTurn } from "node:timers";
import { drawInteger, drawOne, seededRandom } from "@budgetkit/testing";
import { pendingSignatures } from "./pending-signatures.js";
import { type TimerHost, useTimers, type VirtualTimer } from "./virtual-timers.js";

/** A process of the simulation, as the scheduler knows it. */
export interface Owner {
  readonly name: string;
  isAlive: boolean;
}

/** What may run next: a parked task or a timer. */
interface Waiting {
  readonly owner: Owner | null; // null = the world outside of the processes: clients, receivers, the database
  readonly what: string;
  at: number; // not before this time
  readonly everyMs: number | null; // null = once
  readonly run: () => void;
}

/**
 * Runs one task at a time. Every call into the store, every call of a receiver and every timer waits here. The seed picks
 * the next one, and its code runs until all code waits again.
 */
export class Scheduler implements TimerHost {
  now: number;
  steps = 0;
  current: Owner | null = null; // whose code runs now
  #waiting: Waiting[] = [];
  readonly #startedAt: number;
  readonly #random;

  constructor(seed: number, now: number) {
    this.#random = seededRandom(seed);
    this.now = now;
    this.#startedAt = now;
    useTimers(this);
  }

  draw(below: number): number {
    return drawInteger(this.#random, below);
  }

  /** Parks the caller. The promise never settles once the owner is dead. */
  pass(owner: Owner | null, what: string, delayMs = 0): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ owner, what, at: this.now + delayMs, everyMs: null, run: resolve });
    });
  }

  add(run: () => void, delayMs: number, everyMs: number | null): VirtualTimer {
    const timer = { owner: this.current, what: "timer", at: this.now + delayMs, everyMs, run, ref: self, unref: self };
    function self(): VirtualTimer {
      return timer;
    }
    this.#waiting.push(timer);
    return timer;
  }

  remove(timer: VirtualTimer): void {
    const isOther = (each: object): boolean => each !== timer;
    this.#waiting = this.#waiting.filter(isOther);
  }

  atEndOfTurn(run: () => void, isOfStore: boolean): void {
    const owner = isOfStore ? null : this.current; // a group commit outlives the process that began it
    this.#waiting.push({ owner, what: "end of turn", at: this.now, everyMs: null, run });
  }

  monotonicMs(): number {
    return this.now - this.#startedAt;
  }

  /** Drops what a dead process waited for. */
  drop(owner: Owner): void {
    this.#waiting = this.#waiting.filter((each) => each.owner !== owner);
  }

  /** Resolves when all code waits. A tick runs after the last promise; only signatures need a turn of the event loop. */
  async rest(): Promise<void> {
    await null; // outside of a promise, a tick would run before all promises
    await new Promise<void>((resolve) => process.nextTick(resolve));
    while (pendingSignatures() > 0) await new Promise<void>((resolve) => realTurn(resolve));
  }

  /** Lets one waiting task run, until all code waits again. Returns false when none may run at this time. */
  async step(): Promise<boolean> {
    const ready = this.#waiting.filter(({ at }) => at <= this.now);
    if (ready.length === 0) return false;
    await this.#go(drawOne(this.#random, ready));
    return true;
  }

  /** The first time at which something may run; null = nothing waits. */
  nextAt(): number | null {
    return this.#waiting.length === 0 ? null : Math.min(...this.#waiting.map(({ at }) => at));
  }

  /** Runs work of the world itself, such as a read of the store, while the processes stand still. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    const { current } = this;
    this.current = null;
    const outcome: PromiseSettledResult<T>[] = [];
    void Promise.allSettled([work()]).then((settled) => outcome.push(...settled));
    for (;;) {
      await this.rest();
      const [done] = outcome;
      if (done !== undefined) {
        this.current = current;
        if (done.status === "rejected") throw done.reason;
        return done.value;
      }
      const own = this.#waiting.find(({ owner, what }) => owner === null && what === "end of turn");
      if (own === undefined) throw new Error("the work of the world waits for a process");
      await this.#go(own);
    }
  }

  async #go(task: Waiting): Promise<void> {
    this.steps += 1;
    if (task.everyMs === null) this.#waiting.splice(this.#waiting.indexOf(task), 1);
    else task.at = this.now + task.everyMs; // after a jump of the clock it runs once
    this.current = task.owner;
    task.run();
    await this.rest();
    this.current = null;
  }
}
