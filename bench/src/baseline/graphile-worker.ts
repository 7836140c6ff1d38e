import { Logger, run } from "graphile-worker";
import pg from "pg";
import type { Batch } from "../harness/batches.js";
import type { QueueSize } from "./pg-boss.js";
import { openSignedPost } from "./signed-post.js";

const TASK = "call";
const quiet = new Logger(() => () => {});

/**
 * graphile-worker as its documentation tunes it for throughput: jobs are taken ahead into a local queue, and completed
 * in batches. They are there, and it is told of them, with the commit that begins the time.
 */
export async function openGraphileWorker(url: string, origin: string, size: QueueSize): Promise<Batch> {
  const post = openSignedPost(origin, size.concurrency);
  const client = new pg.Client({ connectionString: url });
  let left = 0;
  let onDone = () => {};
  const runner = await run({
    connectionString: url,
    maxPoolSize: 10,
    concurrency: size.concurrency,
    noHandleSignals: true,
    logger: quiet,
    preset: { worker: { localQueue: { size: 2 * size.concurrency }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: {
      [TASK]: async () => {
        await post.send();
        left -= 1;
        if (left === 0) onDone();
      },
    },
  });
  await client.connect();

  return {
    name: "graphile-worker, tuned",
    prepare: async () => {
      await client.query("BEGIN");
      await client.query(
        `SELECT graphile_worker.add_jobs(ARRAY(
           SELECT json_populate_record(NULL::graphile_worker.job_spec, json_build_object('identifier', $1::text,
             'payload', json_build_object('number', number)))
           FROM generate_series(1, $2::int) AS number
         ))`,
        [TASK, size.calls],
      );
    },
    run: async () => {
      left = size.calls;
      const done = new Promise<void>((resolve) => {
        onDone = resolve;
      });
      await client.query("COMMIT");
      await done;
    },
    close: async () => {
      await runner.stop();
      await client.end();
      await post.close();
    },
  };
}
