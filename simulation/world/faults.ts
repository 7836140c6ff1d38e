import { drawInteger, seededRandom } from "@budgetkit/testing";

/** What may go wrong at one call into the store. */
export type StoreFault =
  | "refuses" // the call fails and has no effect
  | "loses its answer" // the call has its effect, and the caller gets an error
  | "is slow" // the answer takes some milliseconds, and other tasks run meanwhile
  | "hangs" // the answer may take longer than leases and claims last
  | "comes late" // the call may take as long to reach the store
  | "crash before" // the process ends, and the call has no effect
  | "crash after"; // the call has its effect, and the process ends before the answer

/** What may go wrong at one call of a receiver. */
export type SendFault =
  | "crash before sending" // the process ends, and the receiver is not called
  | "crash after sending" // the receiver has answered, and the process ends before it takes the answer
  | "cannot send"; // the sender throws, and the receiver is not called

/** What the world does to processes and clocks between two steps. */
export type Disturbance = "crash" | "clock jumps" | "time passes";

export type FaultKind = StoreFault | SendFault | Disturbance;

export const FAULT_KINDS: readonly FaultKind[] = [
  "refuses",
  "loses its answer",
  "is slow",
  "hangs",
  "comes late",
  "crash before",
  "crash after",
  "crash before sending",
  "crash after sending",
  "cannot send",
  "crash",
  "clock jumps",
  "time passes",
];

/** How often each fault occurs. A new kind of fault gets its share here. */
export interface FaultPlan {
  readonly ofStoreCalls: Shares<StoreFault>; // of 1,000 calls into the store
  readonly ofSends: Shares<SendFault>; // of 1,000 calls of receivers
  readonly ofSteps: Shares<Disturbance>; // of 700 steps
  readonly most: number; // in a seed; those that only take time are not counted
}

type Shares<Kind> = readonly (readonly [Kind, number])[];

export const SERVICE_FAULTS: FaultPlan = {
  ofStoreCalls: [
    ["is slow", 60],
    ["refuses", 7],
    ["loses its answer", 7],
    ["hangs", 3],
    ["comes late", 4],
    ["crash before", 3],
    ["crash after", 4],
  ],
  ofSends: [],
  ofSteps: [
    ["crash", 1],
    ["clock jumps", 1],
    ["time passes", 4],
  ],
  most: 14,
};

export const DELIVERY_FAULTS: FaultPlan = {
  ofStoreCalls: [
    ["is slow", 60],
    ["refuses", 8],
    ["loses its answer", 4],
    ["crash before", 7],
    ["crash after", 7],
  ],
  ofSends: [
    ["crash before sending", 40],
    ["crash after sending", 40],
    ["cannot send", 20],
  ],
  ofSteps: [
    ["crash", 1],
    ["time passes", 4],
  ],
  most: 14,
};

/** Draws the faults of one seed. `without` leaves kinds out, which shrinking uses. */
export class Faults {
  #isOn = true;
  #made = 0;
  readonly #random;
  readonly #plan: FaultPlan;
  readonly #without: ReadonlySet<FaultKind>;

  constructor(seed: number, plan: FaultPlan, without: ReadonlySet<FaultKind>) {
    this.#random = seededRandom(seed ^ 0x5f3759df);
    this.#plan = plan;
    this.#without = without;
  }

  draw(below: number): number {
    return drawInteger(this.#random, below);
  }

  /** No further fault is drawn. */
  end(): void {
    this.#isOn = false;
  }

  /** The fault of one call into the store; null = none. */
  ofStoreCall(): StoreFault | null {
    return this.#drawFrom(this.#plan.ofStoreCalls, 1_000);
  }

  /** The fault of one call of a receiver; null = none. */
  ofSend(): SendFault | null {
    return this.#plan.ofSends.length === 0 ? null : this.#drawFrom(this.#plan.ofSends, 1_000);
  }

  /** What happens between two steps; null = nothing. */
  ofStep(): Disturbance | null {
    return this.#drawFrom(this.#plan.ofSteps, 700);
  }

  #drawFrom<Kind extends FaultKind>(shares: Shares<Kind>, below: number): Kind | null {
    const drawn = this.draw(below);
    if (!this.#isOn) return null;
    let upTo = 0;
    for (const [kind, share] of shares) {
      upTo += share;
      if (drawn < upTo) return this.#counted(kind);
    }
    return null;
  }

  #counted<Kind extends FaultKind>(kind: Kind): Kind | null {
    if (this.#without.has(kind)) return null;
    if (kind === "is slow" || kind === "time passes") return kind;
    this.#made += 1;
    return this.#made > this.#plan.most ? null : kind;
  }
}
