import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { postgresStore } from "@budgetkit/store-postgres";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { drawInteger, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { freshDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { builtServer } from "../programs/build-programs.js";
import { type Environment, type RunningProgram, startProgram, temporaryFolder } from "../programs/running-program.js";
import { findViolations } from "./store-invariants.js";
import { type CrashBusiness, prepareBusiness } from "./workload/business.js";
import { CrashClient } from "./workload/client.js";
import { createEndpoint, unfinishedIn } from "./workload/deliveries.js";
import { startFlakyReceiver } from "./workload/flaky-receiver.js";
import { startWriters } from "./workload/insistent-writers.js";
import type { Creation } from "./workload/ledger.js";

/** `pnpm soak --minutes 60` sets it; other runs leave the soak out. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 0);
const SAMPLES = 30;
const WRITERS = 4;
const READERS = 4;
const PACE_MS = 25;
const DELAYS_SECONDS = [0, 1, 1];
const WAIT = { timeout: 300_000, interval: 250 };
/** The heap of the last third may be larger than that of the second by this part and these bytes. */
const GROWTH = { part: 0.05, bytes: 2 * 2 ** 20 };
const secret = "a secret of at least thirty-two characters";

/** The memory of the server after a collection of garbage, in bytes. */
interface Sample {
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
}

describe.skipIf(MINUTES === 0)(`a server under mixed load for ${MINUTES} minutes`, () => {
  const timeout = MINUTES * 60_000 + 1_800_000;

  it("a server under mixed load keeps its memory and its promises, on SQLite", { timeout }, async () => {
    const path = join(temporaryFolder(), "b.db");
    const business = await prepareBusiness(sqliteStore(path), secret);
    const facts = await soak("SQLite", `file:${path}`, business);
    const store = sqliteStore(path);
    expect(await findViolations(store, { businessId: business.businessId, ...facts })).toEqual([]);
    await store.close();
  });

  it("a server under mixed load keeps its memory and its promises, on PostgreSQL", { timeout }, async () => {
    const { url } = await freshDatabase();
    const prepared = postgresStore(url);
    await prepared.migrate();
    const business = await prepareBusiness(prepared, secret);
    const facts = await soak("PostgreSQL", url, business);
    const store = postgresStore(url);
    expect(await findViolations(store, { businessId: business.businessId, ...facts })).toEqual([]);
    await store.close();
  });
});

/** Half of the time on each store. @returns what the clients know */
async function soak(name: string, database: string, business: CrashBusiness) {
  const receiver = await startFlakyReceiver();
  const heap = join(temporaryFolder(), "heap");
  const server = startProgram(await builtServer(), {
    ...heapWriter(heap),
    PORT: "0",
    DATABASE_URL: database,
    BUDGETKIT_SECRET: secret,
    BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true",
  });
  const url = await server.url;
  const endpoint = await createEndpoint(url, business, `${receiver.origin}/endpoint`, DELAYS_SECONDS);
  receiver.verifyWith(new Map([["/endpoint", endpoint.secret]]));
  const client = new CrashClient(url, business.key, business.loginToken);
  const paced = async () => pause(PACE_MS, client);
  let writes = 0;
  const writers = startWriters(WRITERS, paced, () => {
    writes += 1;
  });
  const isOver = { value: false };
  const readers = Array.from({ length: READERS }, (_, seed) => read(url, business, writers.creations, seed, isOver));

  const samples: Sample[] = [];
  const intervalMs = (MINUTES * 60_000) / 2 / SAMPLES;
  for (let number = 0; number < SAMPLES; number += 1) {
    await Promise.race([pause(intervalMs), writers.ended, Promise.all(readers)]);
    samples.push(await sampleOf(server, heap));
  }
  isOver.value = true;
  writers.stop();
  await writers.ended;
  const reads = (await Promise.all(readers)).reduce((sum, count) => sum + count, 0);
  const list = `/api/developer/webhooks/${endpoint.id}/deliveries`;
  await expect.poll(() => unfinishedIn(url, business, [list]), WAIT).toBe(0);
  server.signal("SIGTERM");
  expect(await server.end).toBe(0);
  report(`${name}: ${writes} writes, ${reads} reads`, samples);
  expectFlat(samples);
  return { creations: writers.creations, endpointIds: [endpoint.id] };
}

/** Makes a program collect its garbage and note its memory on SIGUSR2. */
function heapWriter(file: string): Environment {
  writeFileSync(file, "");
  const code = `
    import { appendFileSync } from "node:fs";
    import { setFlagsFromString } from "node:v8";
    import { runInNewContext } from "node:vm";
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    process.on("SIGUSR2", () => {
      collect();
      appendFileSync(${JSON.stringify(file)}, JSON.stringify(process.memoryUsage()) + "\\n");
    });`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` };
}

async function sampleOf(server: RunningProgram, file: string): Promise<Sample> {
  const lines = () => readFileSync(file, "utf8").trim().split("\n").filter(Boolean);
  const known = lines().length;
  server.signal("SIGUSR2");
  await expect.poll(() => lines().length, WAIT).toBe(known + 1);
  return JSON.parse(lines().at(-1) ?? "");
}

/** Reads, searches and errs until it is over. @returns the number of requests */
async function read(
  url: string,
  { key, loginToken }: CrashBusiness,
  creations: readonly Creation[],
  seed: number,
  isOver: { readonly value: boolean },
): Promise<number> {
  const random = seededRandom(seed);
  const some = () => creations[drawInteger(random, Math.max(1, creations.length))]?.budget?.id ?? "1";
  const requests: (() => [path: string, credential: string])[] = [
    () => [`/api/public/budgets/${some()}`, key],
    () => ["/api/public/budgets?limit=20&status=PENDING", key],
    () => [`/api/public/budgets?search=${drawInteger(random, 1_000)}-7`, key],
    () => [`/api/developer/events?subjectId=${some()}`, loginToken],
    () => [`/api/public/budgets/${some()}/public-link`, key],
    () => ["/api/developer/dashboard/stats", loginToken],
    () => [`/api/public/budgets/${drawInteger(random, 1_000_000_000)}`, key], // unknown
    () => ["/api/public/budgets", `bgk_live_${drawInteger(random, 1_000_000_000)}`], // refused
    () => [`/api/public/budgets?limit=x${drawInteger(random, 1_000_000_000)}`, key], // malformed
  ];
  let made = 0;
  for (; !isOver.value; made += 1) {
    const [path, credential] = requests[made % requests.length]?.() ?? ["/", ""];
    const answer = await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${credential}` } });
    expect(answer.status).toBeLessThan(500);
    await answer.arrayBuffer();
    await pause(PACE_MS);
  }
  return made;
}

function report(title: string, samples: readonly Sample[]): void {
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1).padStart(7);
  const lines = samples.map(({ heapUsed, external, rss }) => [heapUsed, external, rss].map(mebibytes).join(" "));
  process.stdout.write([title, "heap, external, rss in MiB", ...lines, ""].join("\n"));
}

/** The first third is left out: caches fill. */
function expectFlat(samples: readonly Sample[]): void {
  const third = Math.floor(samples.length / 3);
  const earlier = medianOf(samples.slice(third, 2 * third));
  const later = medianOf(samples.slice(2 * third));
  expect(later).toBeLessThan(earlier * (1 + GROWTH.part) + GROWTH.bytes);
}

function medianOf(samples: readonly Sample[]): number {
  const sizes = samples.map(({ heapUsed, external }) => heapUsed + external).sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)] ?? 0;
}
