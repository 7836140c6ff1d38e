import PgBoss from "pg-boss";
import type { Batch } from "../harness/batches.js";
import { openSignedPost } from "./signed-post.js";

const QUEUE = "calls";
const LOOPS = 2;

export interface QueueSize {
  readonly calls: number;
  readonly concurrency: number;
}

/**
 * pg-boss without its waits: loops that fetch, call and complete at once, since its own workers look for jobs every half
 * second at most.
 */
export async function openPgBoss(url: string, origin: string, { calls, concurrency }: QueueSize): Promise<Batch> {
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue(QUEUE);
  const post = openSignedPost(origin, concurrency);

  async function work(): Promise<number> {
    for (let done = 0; ; ) {
      const jobs = await boss.fetch(QUEUE, { batchSize: concurrency / LOOPS });
      if (jobs.length === 0) return done;
      await Promise.all(jobs.map(() => post.send()));
      await boss.complete(
        QUEUE,
        jobs.map(({ id }) => id),
      );
      done += jobs.length;
    }
  }

  return {
    name: "pg-boss, in batches",
    prepare: async () => {
      await boss.insert(Array.from({ length: calls }, (_, number) => ({ name: QUEUE, data: { number } })));
    },
    run: async () => {
      const done = await Promise.all(Array.from({ length: LOOPS }, work));
      const sum = done.reduce((all, each) => all + each, 0);
      if (sum !== calls) throw new Error(`${sum} jobs instead of ${calls}`);
    },
    close: async () => {
      await boss.stop({ graceful: false });
      await post.close();
    },
  };
}
