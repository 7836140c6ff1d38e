import { join } from "node:path";
import { Pool } from "undici";
import { signatureHeaders } from "../../../packages/core/src/webhooks/signature.js";
import { atLeast, type Benchmark, type Measured } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { withReceiverProcess } from "../harness/receivers.js";
import type { Settings } from "../harness/settings.js";
import { median, percentile } from "../harness/statistics.js";
import { openService } from "../ours/service.js";
import { businessWithEndpoints, commitEvent, sampleBody } from "../ours/webhooks.js";

/** A tick takes so many events at once; with the endpoints it fills a tick. */
const EVENTS = 100;
const ENDPOINTS = 5;
const CALLS = EVENTS * ENDPOINTS;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

export const deliveries: Benchmark = {
  title: "deliveries from a SQLite store to a local receiver, beside a bare loop that signs and POSTs with undici",
  run: (settings) =>
    withFolder((folder) =>
      withReceiverProcess(async (origin) => {
        const few = await measurePair(folder, origin, 10, settings);
        const many = await measurePair(folder, origin, 50, settings);
        return {
          measured: [...few.measured, ...many.measured],
          verdicts: [
            { what: "deliveries / bare loop, 10 at a time", value: few.ratio, unit: "×", target: atLeast(0.5) },
            { what: "deliveries / bare loop, 50 at a time", value: many.ratio, unit: "×", target: atLeast(0.5) },
          ],
          notes: ["A ratio is the median of those of neighbours: one tick, and as many calls by the bare loop."],
        };
      }),
    ),
};

/** {@link EVENTS} times {@link ENDPOINTS} calls. */
interface Batch {
  readonly name: string;
  prepare(): Promise<void>; // off the clock
  run(): Promise<void>;
  close(): Promise<void>;
}

/** Takes a batch of either in turn, so that whatever else the machine does meets both. */
async function measurePair(folder: string, origin: string, concurrency: number, settings: Settings) {
  const batches = [await openTicks(folder, origin, concurrency), openBareLoop(origin, concurrency)] as const;
  const times: [number[], number[]] = [[], []]; // milliseconds
  const takeTurns = async (seconds: number): Promise<void> => {
    for (let spentMs = 0; spentMs < seconds * 1_000; ) {
      for (const [index, batch] of batches.entries()) {
        await batch.prepare();
        const start = performance.now();
        await batch.run();
        const tookMs = performance.now() - start;
        times[index]?.push(tookMs);
        spentMs += tookMs;
      }
    }
  };
  await takeTurns(2 * settings.warmupSeconds);
  times[0].length = 0;
  times[1].length = 0;
  await takeTurns(2 * settings.rounds * settings.seconds);
  await Promise.all(batches.map(({ close }) => close()));
  const [ours, theirs] = times;
  return {
    measured: batches.map(({ name }, index) => measured(name, times[index] ?? [])),
    ratio: median(ours.map((tookMs, index) => (theirs[index] ?? Number.NaN) / tookMs)),
  };
}

function measured(side: string, times: readonly number[]): Measured {
  const perCall = times.map((tookMs) => (tookMs * 1_000) / CALLS);
  const p50 = percentile(perCall, 0.5);
  return { side, perSecond: 1_000_000 / p50, p50, p99: percentile(perCall, 0.99), server: null };
}

/** Events are committed off the clock; fan-out, claims, calls and their settling are timed. */
async function openTicks(folder: string, origin: string, concurrency: number): Promise<Batch> {
  const caps = { total: concurrency, perBusiness: concurrency, perSubscriber: concurrency };
  const { service, close } = openService(join(folder, `${concurrency}.db`), "memory", { concurrency: caps });
  const actor = await businessWithEndpoints(service, new Array(ENDPOINTS).fill(origin));
  return {
    name: `Budgetkit, ${concurrency} at a time`,
    prepare: async () => {
      await Promise.all(Array.from({ length: EVENTS }, () => commitEvent(service, actor)));
    },
    run: async () => {
      const { delivered } = await service.webhooks.tick();
      if (delivered !== CALLS) throw new Error(`${delivered} deliveries instead of ${CALLS}`);
    },
    close,
  };
}

function openBareLoop(origin: string, concurrency: number): Batch {
  const pool = new Pool(origin, { connections: concurrency });
  const body = sampleBody();
  const call = async () => {
    const headers = signatureHeaders({ deliveryId: "4711", sentAt: Date.now(), body, secrets: [SECRET] });
    const answer = await pool.request({
      method: "POST",
      path: "/",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    await answer.body.dump();
    if (answer.statusCode !== 204) throw new Error(`the receiver answered ${answer.statusCode}`);
  };
  return {
    name: `bare loop, ${concurrency} at a time`,
    prepare: async () => {},
    run: async () => {
      let left = CALLS;
      const worker = async () => {
        while (left > 0) {
          left -= 1;
          await call();
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
    },
    close: () => pool.close(),
  };
}
