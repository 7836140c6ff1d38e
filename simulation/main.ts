import { parseArgs } from "node:util";
import { isMainThread } from "node:worker_threads";
import { countSignatures } from "./pending-signatures.js";
import { type Result, runInWorkers, runSeed, serveSeeds, usefulWorkers } from "./seeds.js";
import { shrink } from "./shrink.js";
import { simulate } from "./simulate.js";
import { STORE_NAMES, type StoreName } from "./stores.js";

/** The command: `pnpm simulate`. Ends with 1 when an invariant does not hold. */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    store: { type: "string", default: "memory" },
    trace: { type: "boolean", default: false },
    brief: { type: "boolean", default: false }, // no trace of a failing seed
    workers: { type: "string" }, // threads; default: one for each processor, as far as the seeds repay it
    fingerprints: { type: "boolean", default: false }, // one of each seed, of everything that happened in it
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

async function explain(seed: number, store: StoreName): Promise<void> {
  const failed = await simulate({ seed, store });
  print(`seed ${failed.seed} on the ${store} store: ${failed.violation?.message}`);
  if (values.brief) return;
  const smallest = await shrink({ seed: failed.seed, store }, failed);
  print(`The smallest run that breaks it:\n${smallest.trace}`);
  print(`Repeat it: pnpm simulate --seed ${failed.seed} --seeds 1 --store ${store} --trace`);
}

async function main(): Promise<number> {
  const [store, first, count] = [storeNamed(values.store), numberIn("seed"), numberIn("seeds")];
  const workers = values.workers === undefined ? usefulWorkers(count) : Number(values.workers);
  const range = { store, first, count };
  const results = values.trace || workers < 2 ? await runHere(range) : await runInWorkers(program, range, workers);
  const broken = results.find(({ isBroken }) => isBroken);
  if (broken !== undefined) {
    await explain(broken.seed, store);
    return 1;
  }
  const totals: Record<string, number> = {};
  let steps = 0;
  for (const result of results) {
    steps += result.steps;
    for (const [what, times] of Object.entries(result.seen)) totals[what] = (totals[what] ?? 0) + times;
  }
  if (values.fingerprints) print(results.map(({ seed, fingerprint }) => `seed ${seed} ${fingerprint}`).join("\n"));
  const { user, system } = process.cpuUsage();
  if (values.statistics) print(JSON.stringify(totals, null, 2));
  print(
    `${count} seeds from ${first} on the ${store} store: no violation. ${steps} steps, ${seconds(user + system)} s of CPU`,
  );
  return 0;
}

async function runHere({ store, first, count }: Parameters<typeof runInWorkers>[1]): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    const result = values.trace ? await runTraced(store, seed) : await runSeed(store, seed);
    results.push(result);
    if (result.isBroken) break;
  }
  return results;
}

async function runTraced(store: StoreName, seed: number): Promise<Result> {
  const { steps, seen, violation, trace, fingerprint } = await simulate({ seed, store, isTraced: true });
  print(trace);
  return { seed, steps, seen, fingerprint, isBroken: violation !== null };
}

function seconds(microseconds: number): string {
  return (microseconds / 1e6).toFixed(1);
}

countSignatures();
const program = new URL(import.meta.url);
if (isMainThread) process.exit(await main());
else serveSeeds();
