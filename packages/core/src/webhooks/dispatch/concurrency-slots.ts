import type { Delivery } from "../delivery.js";
import type { Concurrency } from "../webhook-context.js";
import type { DueClaim, InFlightCalls } from "../webhook-store.js";

/** The deliveries of a subscriber, of a business or of all, in this process. */
interface Share {
  readonly name: string;
  readonly limit: number; // of calls
  readonly of: Omit<InFlightCalls, "calls"> | null; // null = not of a subscriber
  held: number; // with a slot, or waiting for one
  calls: number; // with a slot
}

interface Waiting {
  readonly delivery: Delivery;
  readonly start: (free: () => void) => void;
}

/**
 * The slots of this process for calls. Deliveries without room wait for one, in the order in which they came; one whose
 * subscriber or business has no free slot lets the others pass.
 */
export class ConcurrencySlots {
  readonly #limits: Concurrency;
  readonly #shares = new Map<string, Share>(); // by name; those that hold a delivery
  readonly #waiting: Waiting[] = [];
  #freed = 0;
  #freedBefore: readonly [number, number] = [0, 0]; // until the last two claims

  /** Throws a RangeError with the name of the option for a limit that is no whole number from 1. */
  constructor(limits: Concurrency) {
    const { total, perBusiness, perSubscriber } = limits;
    for (const [name, limit] of Object.entries({ total, perBusiness, perSubscriber })) {
      if (Number.isInteger(limit) && limit >= 1) continue;
      throw new RangeError(`webhooks.concurrency.${name} must be a whole number from 1: ${limit}`);
    }
    this.#limits = limits;
  }

  /** How many slots are free. */
  get free(): number {
    return this.#limits.total - this.held + this.waiting;
  }

  /** How many deliveries wait for a slot. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many deliveries have a slot or wait for one. */
  get held(): number {
    return this.#shares.get(ALL)?.held ?? 0;
  }

  /** How many slots were freed so far. */
  get freed(): number {
    return this.#freed;
  }

  /**
   * How many deliveries may wait for a slot, so that calls go on while the next claim is at the store: as many as calls
   * have ended since the claim before the last. So few wait where receivers are slow: another process may call them.
   */
  get ahead(): number {
    return Math.min(this.#limits.total, this.#freed - this.#freedBefore[0]);
  }

  hasRoomFor(delivery: Delivery): boolean {
    const shares = this.#sharesOf(delivery);
    this.#forgetEmpty(shares);
    return shares.every(({ calls, limit }) => calls < limit);
  }

  /**
   * Resolves when the delivery has a slot, which it takes at once if there is room. The result frees the slot, and does
   * nothing when it is called again.
   */
  enter(delivery: Delivery): Promise<() => void> {
    for (const share of this.#sharesOf(delivery)) share.held += 1;
    return new Promise((start) => {
      if (this.hasRoomFor(delivery)) start(this.#take(delivery));
      else this.#waiting.push({ delivery, start });
    });
  }

  /** Gives a slot to all that wait, whatever the limits: they are released without a call. */
  release(): void {
    for (const { delivery, start } of this.#waiting.splice(0)) start(this.#take(delivery));
  }

  /** The shares of a claim that begins now. What waits for a slot counts for them. */
  sharesOfClaim(): Pick<DueClaim, "perBusiness" | "perSubscriber" | "inFlight"> {
    const { ahead } = this;
    const withAhead = (share: number) => share + Math.min(share, ahead);
    this.#freedBefore = [this.#freedBefore[1], this.#freed];
    return {
      perBusiness: withAhead(this.#limits.perBusiness),
      perSubscriber: withAhead(this.#limits.perSubscriber),
      inFlight: [...this.#shares.values()].flatMap(({ of, held: calls }) => (of === null ? [] : [{ ...of, calls }])),
    };
  }

  /** True when deliveries may be waiting, here or in the store, because a subscriber or a business has no free slot. */
  isShareFull(): boolean {
    for (const { name, held, limit } of this.#shares.values()) if (held >= limit && name !== ALL) return true;
    return this.waiting > 0;
  }

  #take(delivery: Delivery): () => void {
    const shares = this.#sharesOf(delivery);
    for (const share of shares) share.calls += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#freed += 1;
      for (const share of shares) {
        share.calls -= 1;
        share.held -= 1;
      }
      this.#forgetEmpty(shares);
      this.#startNext();
    };
  }

  #startNext(): void {
    const next = this.#waiting.findIndex(({ delivery }) => this.hasRoomFor(delivery));
    if (next === -1) return;
    for (const { delivery, start } of this.#waiting.splice(next, 1)) start(this.#take(delivery));
  }

  #sharesOf({ businessId, subscriber }: Delivery): readonly Share[] {
    const { total, perBusiness, perSubscriber } = this.#limits;
    const { kind, id } = subscriber;
    return [
      this.#share(ALL, total, null),
      this.#share(businessId, perBusiness, null),
      this.#share(`${businessId} ${kind} ${id}`, perSubscriber, { businessId, subscriber }),
    ];
  }

  #share(name: string, limit: number, of: Share["of"]): Share {
    const share = this.#shares.get(name) ?? { name, limit, of, held: 0, calls: 0 };
    this.#shares.set(name, share);
    return share;
  }

  #forgetEmpty(shares: readonly Share[]): void {
    for (const { name, held } of shares) if (held === 0) this.#shares.delete(name);
  }
}

/** The name of the share of all; those of businesses are their ids. */
const ALL = "";
