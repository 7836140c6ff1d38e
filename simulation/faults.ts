import { drawInteger, seededRandom } from "@budgetkit/testing";

/** What may go wrong at one call into the store. */
export type StoreFault =
  | "refuses" // the call fails and has no effect
  | "loses its answer" // the call has its effect, and the caller gets an error
  | "is slow" // the answer takes its time, and others continue meanwhile
  | "hangs" // the answer takes 5 to 90 seconds, longer than leases and claims are given
  | "comes late" // the call takes as long to reach the store
  | "crash before" // the process ends, and the call has no effect
  | "crash after"; // the call has its effect, and the process ends before the answer

/** What the world does to processes and clocks between two steps. */
export type Disturbance = "crash" | "clock jumps" | "time passes";

export type FaultKind = StoreFault | Disturbance;

export const FAULT_KINDS: readonly FaultKind[] = [
  "refuses",
  "loses its answer",
  "is slow",
  "hangs",
  "comes late",
  "crash before",
  "crash after",
  "crash",
  "clock jumps",
  "time passes",
];

/** Of 1,000 calls into the store. A new kind of fault gets its share here. */
const STORE_FAULTS: readonly (readonly [StoreFault, number])[] = [
  ["is slow", 60],
  ["refuses", 7],
  ["loses its answer", 7],
  ["hangs", 3],
  ["comes late", 4],
  ["crash before", 3],
  ["crash after", 4],
];

const MOST_FAULTS = 14;

/** Draws the faults of one seed. `without` leaves kinds out, which shrinking uses. */
export class Faults {
  #isOn = true;
  #made = 0;
  readonly #random;
  readonly #without: ReadonlySet<FaultKind>;

  constructor(seed: number, without: ReadonlySet<FaultKind>) {
    this.#random = seededRandom(seed ^ 0x5f3759df);
    this.#without = without;
  }

  draw(below: number): number {
    return drawInteger(this.#random, below);
  }

  /** From here on the world only heals. */
  end(): void {
    this.#isOn = false;
  }

  /** The fault of one call into the store; null = none. */
  ofStoreCall(): StoreFault | null {
    const drawn = this.draw(1_000);
    if (!this.#isOn) return null;
    let upTo = 0;
    for (const [fault, share] of STORE_FAULTS) {
      upTo += share;
      if (drawn < upTo) return this.#counted(fault);
    }
    return null;
  }

  /** What happens between two steps; null = nothing. */
  ofStep(): Disturbance | null {
    const drawn = this.draw(700);
    if (!this.#isOn || drawn > 5) return null;
    const disturbance = drawn === 0 ? "crash" : drawn === 1 ? "clock jumps" : "time passes";
    return this.#counted(disturbance);
  }

  #counted<Kind extends FaultKind>(kind: Kind): Kind | null {
    if (this.#without.has(kind)) return null;
    if (kind === "is slow" || kind === "time passes") return kind;
    this.#made += 1;
    return this.#made > MOST_FAULTS ? null : kind;
  }
}
