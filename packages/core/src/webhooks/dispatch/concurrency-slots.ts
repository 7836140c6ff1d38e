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
  ended: number; // calls, since the last claim began or ended
  endedInClaims: readonly [number, number]; // calls, while each of the last two claims was at the store
}

/** The slot of a delivery. */
export interface Slot {
  /** False = the delivery has waited in vain: it is released without a call. */
  readonly isForCall: boolean;
  /** Does nothing when it is called again. */
  free(): void;
}

interface Waiting {
  readonly shares: readonly Share[];
  readonly sinceMs: number;
  readonly start: (slot: Slot) => void;
}

/**
 * The slots of this process for calls. Deliveries without room wait for one, in the order in which they came; one whose
 * subscriber or business has no free slot lets the others pass.
 */
export class ConcurrencySlots {
  readonly #limits: Concurrency;
  readonly #all: Share;
  readonly #shares = new Map<string, Share>(); // by name; those that hold a delivery or did during the last two claims
  readonly #waiting: Waiting[] = [];

  /** Throws a RangeError with the name of the option for a limit that is no whole number from 1. */
  constructor(limits: Concurrency) {
    const { total, perBusiness, perSubscriber } = limits;
    for (const [name, limit] of Object.entries({ total, perBusiness, perSubscriber })) {
      if (Number.isInteger(limit) && limit >= 1) continue;
      throw new RangeError(`webhooks.concurrency.${name} must be a whole number from 1: ${limit}`);
    }
    this.#limits = limits;
    this.#all = emptyShare("all", total, null);
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
    return this.#all.held;
  }

  /** True when a call has ended while the last claim was at the store. */
  get hasEndedInClaim(): boolean {
    return this.#all.endedInClaims[1] > 0;
  }

  /**
   * How many deliveries may wait for a slot, so that calls go on while the next claim is at the store: as many as calls
   * have ended while the last two were. So hardly any wait where receivers are slow: another process may call them.
   */
  get ahead(): number {
    return aheadOf(this.#all);
  }

  hasRoomFor(delivery: Delivery): boolean {
    const shares = this.#sharesOf(delivery);
    this.#forgetEmpty(shares);
    return haveRoom(shares);
  }

  /** Resolves when the delivery has a slot, which it takes at once if there is room. */
  enter(delivery: Delivery, nowMs = 0): Promise<Slot> {
    const shares = this.#sharesOf(delivery);
    for (const share of shares) share.held += 1;
    return new Promise((start) => {
      if (haveRoom(shares)) start(this.#take(shares, true));
      else this.#waiting.push({ shares, start, sinceMs: nowMs });
    });
  }

  /**
   * Gives a slot to all that wait since before `beforeMs`, whatever the limits: they are released without a call. The
   * calls that they wait for have become slow, so the next claim takes none ahead of these.
   */
  release(beforeMs = Number.POSITIVE_INFINITY): void {
    const old = this.#waiting.findIndex(({ sinceMs }) => sinceMs >= beforeMs); // the first came first
    const released = this.#waiting.splice(0, old === -1 ? this.#waiting.length : old);
    for (const { shares, start } of released) {
      for (const share of shares) if (share.calls >= share.limit) share.endedInClaims = [0, 0];
      start(this.#take(shares, false));
    }
  }

  /**
   * The shares of a claim that begins now. Each subscriber may have deliveries that wait for a slot, as many as {@link ahead}
   * says of its own calls: none where they hang. Where more wait, because the receiver has only now begun to hang, they
   * count as its share of calls and no more: the business keeps its other slots for its other subscribers.
   */
  beginClaim(): Pick<DueClaim, "perBusiness" | "perSubscriber" | "inFlight"> {
    const { perBusiness, perSubscriber } = this.#limits;
    const inFlight: InFlightCalls[] = [];
    this.#all.ended = 0;
    for (const share of this.#shares.values()) {
      share.ended = 0;
      if (share.of !== null) inFlight.push({ ...share.of, calls: Math.min(share.limit, share.held - aheadOf(share)) });
    }
    return { perBusiness, perSubscriber, inFlight };
  }

  /** Called when the claim is back. */
  endClaim(): void {
    for (const share of [this.#all, ...this.#shares.values()]) {
      share.endedInClaims = [share.endedInClaims[1], share.ended];
      share.ended = 0;
    }
    this.#forgetEmpty(this.#shares.values());
  }

  /** True when deliveries may be waiting, here or in the store, because a subscriber or a business has no free slot. */
  isShareFull(): boolean {
    for (const { held, limit } of this.#shares.values()) if (held >= limit) return true;
    return this.waiting > 0;
  }

  #take(shares: readonly Share[], isForCall: boolean): Slot {
    for (const share of shares) share.calls += 1;
    let isTaken = true;
    const free = (): void => {
      if (!isTaken) return;
      isTaken = false;
      for (const share of shares) {
        share.calls -= 1;
        share.held -= 1;
        share.ended += 1;
      }
      this.#forgetEmpty(shares);
      this.#startNext();
    };
    return { isForCall, free };
  }

  #startNext(): void {
    const next = this.#waiting.findIndex(({ shares }) => haveRoom(shares));
    if (next === -1) return;
    for (const { shares, start } of this.#waiting.splice(next, 1)) start(this.#take(shares, true));
  }

  #sharesOf({ businessId, subscriber }: Delivery): readonly Share[] {
    const { perBusiness, perSubscriber } = this.#limits;
    const { kind, id } = subscriber;
    return [
      this.#all,
      this.#share(businessId, perBusiness, null),
      this.#share(`${businessId} ${kind} ${id}`, perSubscriber, { businessId, subscriber }),
    ];
  }

  #share(name: string, limit: number, of: Share["of"]): Share {
    const known = this.#shares.get(name);
    if (known !== undefined) return known;
    const share = emptyShare(name, limit, of);
    this.#shares.set(name, share);
    return share;
  }

  #forgetEmpty(shares: Iterable<Share>): void {
    for (const share of shares) {
      if (share.held === 0 && share.ended === 0 && aheadOf(share) === 0) this.#shares.delete(share.name);
    }
  }
}

function emptyShare(name: string, limit: number, of: Share["of"]): Share {
  return { name, limit, of, held: 0, calls: 0, ended: 0, endedInClaims: [0, 0] };
}

function haveRoom(shares: readonly Share[]): boolean {
  return shares.every(({ calls, limit }) => calls < limit);
}

function aheadOf({ limit, endedInClaims: [first, second] }: Share): number {
  return Math.min(limit, first + second);
}
