import type { WorldName } from "./world/kinds.js";
import type { World } from "./world/world.js";

/** How often something happened, by its name. */
export type Counts = Readonly<Record<string, number>>;

export function countsOf({ exchanges, receivers, processes, model, consumers, counts }: World): Counts {
  const seen: Record<string, number> = Object.fromEntries(counts);
  const add = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  for (const { action, status } of exchanges) add(`${action} ${status ?? "lost"}`);
  for (const { status } of receivers.calls) add(`callback ${status ?? "broken"}`);
  for (const { owner } of processes) add(owner.isAlive ? "process" : "crash");
  for (const { taken, removed } of consumers)
    add(`consumer ${removed > 0 ? "behind retention" : taken.length > 0 ? "with events" : "without"}`);
  for (const { status } of model.budgets.values()) add(`budget ${status}`);
  return seen;
}

/** The least number of each event per seed, on average. */
const LEAST: Readonly<Record<WorldName, Counts>> = {
  service: {},
  deliveries: {
    crash: 2.5,
    "delivery delivered": 5,
    "delivery failed": 1,
    "delivery cancelled": 0.08,
    "call out of order": 1, // of an endpoint without order
  },
};

const FEWEST = 5; // a smaller expected number is not checked

/** The events that were too rare, in words. Worlds in which little happens prove little. */
export function tooSeldom(world: WorldName, totals: Counts, seeds: number): readonly string[] {
  return Object.entries(LEAST[world])
    .filter(([what, least]) => least * seeds >= FEWEST && (totals[what] ?? 0) <= least * seeds)
    .map(([what, least]) => `${what}: ${totals[what] ?? 0}, not more than ${least * seeds}`);
}
