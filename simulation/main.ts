import { parseArgs } from "node:util";
import { countSignatures } from "./pending-signatures.js";
import { shrink } from "./shrink.js";
import { type Outcome, simulate } from "./simulate.js";
import { STORE_NAMES, type StoreName } from "./stores.js";

/** The command: `pnpm simulate`. Ends with 1 when an invariant does not hold. */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    store: { type: "string", default: "memory" },
    trace: { type: "boolean", default: false },
    brief: { type: "boolean", default: false }, // no trace of a failing seed
    statistics: { type: "boolean", default: false },
  },
});

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function storeNamed(name: string): StoreName {
  const found = STORE_NAMES.find((each) => each === name);
  if (found === undefined) throw new RangeError(`--store is one of ${STORE_NAMES.join(", ")}`);
  return found;
}

function numberIn(option: "seed" | "seeds"): number {
  const number = Number(values[option]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new RangeError(`--${option} is a whole number from 1 on`);
}

async function explain(failed: Outcome, store: StoreName): Promise<void> {
  print(`seed ${failed.seed} on the ${store} store: ${failed.violation?.message}`);
  if (values.brief) return;
  const smallest = await shrink({ seed: failed.seed, store }, failed);
  print(`The smallest run that breaks it:\n${smallest.trace}`);
  print(`Repeat it: pnpm simulate --seed ${failed.seed} --seeds 1 --store ${store} --trace`);
}

async function main(): Promise<number> {
  const [store, first, count] = [storeNamed(values.store), numberIn("seed"), numberIn("seeds")];
  const totals: Record<string, number> = {};
  let steps = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const outcome = await simulate({ seed, store, isTraced: values.trace });
    steps += outcome.steps;
    for (const [what, times] of Object.entries(outcome.seen)) totals[what] = (totals[what] ?? 0) + times;
    if (values.trace) print(`${outcome.trace}\nfingerprint ${outcome.fingerprint}`);
    if (outcome.violation === null) continue;
    await explain(outcome, store);
    return 1;
  }
  const { user, system } = process.cpuUsage();
  if (values.statistics) print(JSON.stringify(totals, null, 2));
  print(
    `${count} seeds from ${first} on the ${store} store: no violation. ${steps} steps, ${seconds(user + system)} s of CPU`,
  );
  return 0;
}

function seconds(microseconds: number): string {
  return (microseconds / 1e6).toFixed(1);
}

countSignatures();
process.exit(await main());
