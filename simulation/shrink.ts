import { type Outcome, type SimulationOptions, simulate } from "./simulate.js";
import { FAULT_KINDS, type FaultKind } from "./world/faults.js";

const MOST_RUNS = 120;

/**
 * Returns the smallest run of a failing seed that breaks the same invariant, with its trace. It leaves out kinds of faults
 * first, then clients: half of them at a time, at last one by one.
 */
export async function shrink(options: SimulationOptions, failed: Outcome): Promise<Outcome> {
  let without: ReadonlySet<FaultKind> = new Set();
  let clients: ReadonlySet<number> = new Set(Array.from({ length: failed.clients }, (_, index) => index));
  let runs = 0;

  async function stillFails(changed: Partial<SimulationOptions>): Promise<boolean> {
    runs += 1;
    if (runs > MOST_RUNS) return false;
    const { violation } = await simulate({ ...options, withoutFaults: without, clients, ...changed });
    return violation !== null && violation.invariant === failed.violation?.invariant;
  }

  for (const kind of FAULT_KINDS) {
    const fewer = new Set([...without, kind]);
    if (await stillFails({ withoutFaults: fewer })) without = fewer;
  }
  for (let size = Math.ceil(clients.size / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (const first of [...clients].filter((_, index) => index % size === 0)) {
      const dropped = [...clients].filter((each) => each >= first).slice(0, size);
      const fewer = new Set([...clients].filter((each) => !dropped.includes(each)));
      if (dropped.length > 0 && (await stillFails({ clients: fewer }))) clients = fewer;
    }
  }
  return simulate({ ...options, withoutFaults: without, clients, isTraced: true });
}
