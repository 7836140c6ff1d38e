import { join } from "node:path";
import { Pool } from "undici";
import { signatureHeaders } from "../../../packages/core/src/webhooks/signature.js";
import { atLeast, type Benchmark, rateRatio } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { functionSide } from "../harness/function-side.js";
import { withReceiverProcess } from "../harness/receivers.js";
import { measureInTurn, type Side } from "../harness/rounds.js";
import { percentile } from "../harness/statistics.js";
import { openService } from "../ours/service.js";
import { businessWithEndpoints, commitEvent, sampleBody } from "../ours/webhooks.js";

/** A tick takes so many events at once; with the endpoints it fills a tick. */
const EVENTS = 100;
const ENDPOINTS = 5;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

export const deliveries: Benchmark = {
  title: "deliveries from a SQLite store to a local receiver, beside a bare loop that signs and POSTs with undici",
  run: (settings) =>
    withFolder((folder) =>
      withReceiverProcess(async (origin) => {
        const [few, many] = await Promise.all([openSide(folder, origin, 10), openSide(folder, origin, 50)]);
        const [bareFew, bareMany] = [openBareLoop(origin, 10), openBareLoop(origin, 50)];
        const [ours10, theirs10, ours50, theirs50] = await measureInTurn(
          [few.side, bareFew.side, many.side, bareMany.side],
          settings,
        );
        await Promise.all([few, many, bareFew, bareMany].map(({ close }) => close()));
        return {
          measured: [ours10, theirs10, ours50, theirs50],
          verdicts: [
            rateRatio("deliveries / bare loop, 10 at a time", ours10, theirs10, atLeast(0.5)),
            rateRatio("deliveries / bare loop, 50 at a time", ours50, theirs50, atLeast(0.5)),
          ],
        };
      }),
    ),
};

/** Events are committed off the clock; fan-out, claims, calls and their settling are timed. */
async function openSide(folder: string, origin: string, concurrency: number) {
  const caps = { total: concurrency, perSubscriber: concurrency };
  const { service, close } = openService(join(folder, `${concurrency}.db`), "memory", { concurrency: caps });
  const actor = await businessWithEndpoints(service, new Array(ENDPOINTS).fill(origin));
  const side: Side = {
    name: `Budgetkit, ${concurrency} at a time`,
    measure: async (seconds) => {
      const perDelivery: number[] = [];
      let delivered = 0;
      let elapsedMs = 0;
      while (elapsedMs < seconds * 1_000) {
        await Promise.all(Array.from({ length: EVENTS }, () => commitEvent(service, actor)));
        const start = performance.now();
        const done = (await service.webhooks.tick()).delivered;
        const tookMs = performance.now() - start;
        if (done !== EVENTS * ENDPOINTS) throw new Error(`${done} deliveries instead of ${EVENTS * ENDPOINTS}`);
        perDelivery.push((tookMs * 1_000) / done);
        delivered += done;
        elapsedMs += tookMs;
      }
      return {
        perSecond: delivered / (elapsedMs / 1_000),
        p50: percentile(perDelivery, 0.5),
        p99: percentile(perDelivery, 0.99),
        server: null,
      };
    },
  };
  return { side, close };
}

function openBareLoop(origin: string, concurrency: number) {
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
  const side = functionSide(`bare loop, ${concurrency} at a time`, async () => {
    let left = EVENTS * ENDPOINTS;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        await call();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  });
  return { side: perCall(side), close: () => pool.close() };
}

/** A piece of work of the loop is a batch of calls; what is told is about one of them. */
function perCall(side: Side): Side {
  const calls = EVENTS * ENDPOINTS;
  return {
    name: side.name,
    measure: async (seconds) => {
      const { perSecond, p50, p99, server } = await side.measure(seconds);
      return { perSecond: Number(perSecond) * calls, p50: p50 / calls, p99: p99 / calls, server };
    },
  };
}
