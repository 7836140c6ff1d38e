import type { Delivery } from "../delivery.js";
import type { Concurrency } from "../webhook-context.js";
import type { InFlightCalls } from "../webhook-store.js";

/** The calls in flight of this process. `take` does not check the limits: the caller keeps to them. */
export class ConcurrencySlots {
  readonly #limits: Concurrency;
  readonly #bySubscriber = new Map<string, InFlightCalls & { calls: number }>();
  readonly #byBusiness = new Map<string, number>();
  #used = 0;
  #freed = 0;

  /** Throws a RangeError with the name of the option for a limit that is no whole number from 1. */
  constructor(limits: Concurrency) {
    const { total, perBusiness, perSubscriber } = limits;
    for (const [name, limit] of Object.entries({ total, perBusiness, perSubscriber })) {
      if (Number.isInteger(limit) && limit >= 1) continue;
      throw new RangeError(`webhooks.concurrency.${name} must be a whole number from 1: ${limit}`);
    }
    this.#limits = limits;
  }

  get used(): number {
    return this.#used;
  }

  /** How many slots were freed so far. */
  get freed(): number {
    return this.#freed;
  }

  /** A copy: later changes do not show in it. */
  inFlight(): readonly InFlightCalls[] {
    return Array.from(this.#bySubscriber.values(), (each) => ({ ...each }));
  }

  /** The result frees the slot, and does nothing when it is called again. */
  take({ businessId, subscriber }: Delivery): () => void {
    const name = nameOf(businessId, subscriber);
    const taken = this.#bySubscriber.get(name) ?? { businessId, subscriber, calls: 0 };
    this.#bySubscriber.set(name, taken);
    this.#add(taken, 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#freed += 1;
      this.#add(taken, -1);
      if (taken.calls === 0) this.#bySubscriber.delete(name);
    };
  }

  hasRoomFor({ businessId, subscriber }: Delivery): boolean {
    const { total, perBusiness, perSubscriber } = this.#limits;
    const ofSubscriber = this.#bySubscriber.get(nameOf(businessId, subscriber))?.calls ?? 0;
    const ofBusiness = this.#byBusiness.get(businessId) ?? 0;
    return this.#used < total && ofSubscriber < perSubscriber && ofBusiness < perBusiness;
  }

  /** True when a subscriber or a business has no free slot, so that deliveries of it may be waiting. */
  isShareFull(): boolean {
    const { perBusiness, perSubscriber } = this.#limits;
    for (const { calls } of this.#bySubscriber.values()) if (calls >= perSubscriber) return true;
    for (const calls of this.#byBusiness.values()) if (calls >= perBusiness) return true;
    return false;
  }

  #add(taken: InFlightCalls & { calls: number }, change: 1 | -1): void {
    const ofBusiness = (this.#byBusiness.get(taken.businessId) ?? 0) + change;
    this.#used += change;
    taken.calls += change;
    if (ofBusiness === 0) this.#byBusiness.delete(taken.businessId);
    else this.#byBusiness.set(taken.businessId, ofBusiness);
  }
}

function nameOf(businessId: string, { kind, id }: Delivery["subscriber"]): string {
  return `${businessId} ${kind} ${id}`;
}
