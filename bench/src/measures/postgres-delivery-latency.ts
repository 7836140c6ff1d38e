import { Logger, run } from "graphile-worker";
import { openSignedPost } from "../baseline/signed-post.js";
import { type Benchmark, timeRatio } from "../harness/benchmark.js";
import { newDatabase, withPostgres } from "../harness/postgres.js";
import { type LocalReceiver, openReceiver } from "../harness/receivers.js";
import { measureInTurn, type Side } from "../harness/rounds.js";
import { percentile } from "../harness/statistics.js";
import { openPostgresService } from "../ours/postgres-service.js";
import { businessWithEndpoints, commitEvent } from "../ours/webhooks.js";

const CONCURRENCY = 50;
const TASK = "call";
const quiet = new Logger(() => () => {});

export const deliveryLatencyOnPostgres: Benchmark = {
  title: "from an acknowledged commit in PostgreSQL to the call of a receiver, one at a time, beside graphile-worker",
  run: (settings) =>
    withPostgres(async (url) => {
      let onCall = () => {};
      const receiver = await openReceiver(() => onCall());
      const arrival = () =>
        new Promise<number>((resolve) => {
          onCall = () => resolve(performance.now());
        });
      const ours = await openOurs(await newDatabase(url, "ours"), receiver);
      const worker = await openWorker(await newDatabase(url, "graphile"), receiver);
      const [own, theirs] = await measureInTurn(
        [latencySide("Budgetkit", ours.commit, arrival), latencySide("graphile-worker", worker.commit, arrival)],
        settings,
      );
      await Promise.all([ours.close(), worker.close()]);
      await receiver.close();
      return {
        measured: [own, theirs],
        figures: [timeRatio("commitToPost", own, theirs)],
      };
    }),
};

interface Committing {
  commit(): Promise<unknown>;
  close(): Promise<void>;
}

async function openOurs(url: string, { origin }: LocalReceiver): Promise<Committing> {
  const { service, close } = openPostgresService(url, "memory");
  await service.start();
  const actor = await businessWithEndpoints(service, [origin]);
  return { commit: () => commitEvent(service, actor), close };
}

async function openWorker(url: string, { origin }: LocalReceiver): Promise<Committing> {
  const post = openSignedPost(origin, CONCURRENCY);
  const runner = await run({
    connectionString: url,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    logger: quiet,
    taskList: { [TASK]: () => post.send() },
  });
  return {
    commit: () => runner.addJob(TASK, {}),
    close: async () => {
      await runner.stop();
      await post.close();
    },
  };
}

function latencySide(name: string, commit: () => Promise<unknown>, nextArrival: () => Promise<number>): Side {
  return {
    name,
    measure: async (seconds) => {
      const times: number[] = [];
      const end = performance.now() + seconds * 1_000;
      while (performance.now() < end) {
        const arrival = nextArrival();
        await commit();
        const committedAt = performance.now();
        times.push(Math.max(0, (await arrival) - committedAt) * 1_000);
      }
      return { perSecond: null, p50: percentile(times, 0.5), p99: percentile(times, 0.99), server: null };
    },
  };
}
