import { parseArgs } from "node:util";
import { isMainThread } from "node:worker_threads";
import { tooSeldom } from "./activity.js";
import { countSignatures } from "./engine/pending-signatures.js";
import { type Range, type Result, runInWorkers, runSeed, serveSeeds, usefulWorkers } from "./seeds.js";
import { shrink } from "./shrink.js";
import { simulate } from "./simulate.js";
import { WORLD_NAMES } from "./world/kinds.js";
import { STORE_NAMES } from "./world/stores.js";

/** The command: `pnpm simulate`. Ends with 1 when an invariant does not hold. */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    world: { type: "string", default: "service" },
    store: { type: "string", default: "memory" },
    trace: { type: "boolean", default: false },
    brief: { type: "boolean", default: false }, // no trace of a failing seed
    workers: { type: "string" }, // threads; default: one for each processor, fewer for few seeds
    fingerprints: { type: "boolean", default: false }, // printed for each seed
    statistics: { type: "boolean", default: false },
  },
});

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function oneOf<Name extends string>(option: "store" | "world", names: readonly Name[]): Name {
  const found = names.find((each) => each === values[option]);
  if (found === undefined) throw new RangeError(`--${option} is one of ${names.join(", ")}`);
  return found;
}

function numberIn(option: "seed" | "seeds"): number {
  const number = Number(values[option]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new RangeError(`--${option} is a whole number from 1 on`);
}

async function explain({ world, store }: Range, seed: number): Promise<void> {
  const failed = await simulate({ seed, world, store });
  print(`seed ${failed.seed} on the ${store} store: ${failed.violation?.message}`);
  if (values.brief) return;
  const smallest = await shrink({ seed: failed.seed, world, store }, failed);
  print(`The smallest run that breaks it:\n${smallest.trace}`);
  print(`Repeat it: pnpm simulate --seed ${failed.seed} --seeds 1 --world ${world} --store ${store} --trace`);
}

async function main(): Promise<number> {
  const [first, count] = [numberIn("seed"), numberIn("seeds")];
  const range: Range = { world: oneOf("world", WORLD_NAMES), store: oneOf("store", STORE_NAMES), first, count };
  const workers = values.workers === undefined ? usefulWorkers(range) : Number(values.workers);
  const results = values.trace || workers < 2 ? await runHere(range) : await runInWorkers(program, range, workers);
  const broken = results.find(({ isBroken }) => isBroken);
  if (broken !== undefined) {
    await explain(range, broken.seed);
    return 1;
  }
  return report(range, results);
}

/** Returns 1 when too little has happened. */
function report({ world, store, first, count }: Range, results: readonly Result[]): number {
  const totals: Record<string, number> = {};
  let steps = 0;
  for (const result of results) {
    steps += result.steps;
    for (const [what, times] of Object.entries(result.seen)) totals[what] = (totals[what] ?? 0) + times;
  }
  if (values.fingerprints) print(results.map(({ seed, fingerprint }) => `seed ${seed} ${fingerprint}`).join("\n"));
  const { user, system } = process.cpuUsage();
  if (values.statistics) print(JSON.stringify(totals, null, 2));
  const seldom = tooSeldom(world, totals, count);
  for (const line of seldom) print(`too seldom, so that the seeds prove little: ${line}`);
  const cost = `${steps} steps, ${seconds(user + system)} s of CPU`;
  print(`${count} seeds from ${first} of the ${world} world on the ${store} store: no violation. ${cost}`);
  return seldom.length === 0 ? 0 : 1;
}

async function runHere(range: Range): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let seed = range.first; seed < range.first + range.count; seed += 1) {
    const result = values.trace ? await runTraced(range, seed) : await runSeed({ ...range, seed });
    results.push(result);
    if (result.isBroken) break;
  }
  return results;
}

async function runTraced({ world, store }: Range, seed: number): Promise<Result> {
  const { steps, seen, violation, trace, fingerprint } = await simulate({ seed, world, store, isTraced: true });
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
