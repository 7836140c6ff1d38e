import { SCALE } from "@budgetkit/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { leadingProxy } from "../../packages/store-postgres/src/testing/leading-proxy.js";
import { runOn } from "../../packages/store-postgres/src/testing/run-on.js";
import { type Outage, outageOf } from "./failover-load.js";
import { type PatroniCluster, startCluster } from "./patroni-cluster.js";
import { missing, signalAll, takesLockBack } from "./programs.js";
import { speedOfWrites } from "./speed-of-writes.js";

const TIMEOUT_MS = 900_000;
/** Above the largest that was measured, so that a busy machine is no failure. */
const MOST_SECONDS = { planned: 30, unplanned: 60 };

/** A commit without its synchronous standby waits for ever. */
const HAS_WAITED = `SELECT EXISTS (
  SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND clock_timestamp() - query_start > interval '3 s'
) AS done`;

if (SCALE === "full" && missing !== null) process.stderr.write(`Tests of high availability are skipped: ${missing}\n`);

if (SCALE === "full" && takesLockBack !== null) {
  process.stderr.write(`The test of a primary that wakes up is skipped: ${takesLockBack}\n`);
}

describe.skipIf(SCALE !== "full" || missing !== null)("three PostgreSQL servers with Patroni behind HAProxy", () => {
  let cluster: PatroniCluster;

  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") process.stderr.write(cluster.logs());
    else await cluster.whole();
  });
  afterAll(() => cluster?.stop());

  it("a switchover loses no acknowledged write", { timeout: TIMEOUT_MS }, async () => {
    const former = await cluster.primary();
    const outage = await outageOf(await cluster.newDatabase(), async () => {
      await cluster.switchover(former);
      await cluster.promotedAfter(former);
    });
    report("a switchover", outage, MOST_SECONDS.planned);
  });

  it("a killed primary loses no acknowledged write", { timeout: TIMEOUT_MS }, async () => {
    const former = await cluster.primary();
    const outage = await outageOf(await cluster.newDatabase(), async () => {
      signalAll(former.all(), "SIGKILL");
      await cluster.promotedAfter(former);
    });
    former.start();
    report("a kill of the primary and its Patroni", outage, MOST_SECONDS.unplanned);
  });

  it("a killed postmaster loses no acknowledged write", { timeout: TIMEOUT_MS }, async () => {
    const former = await cluster.primary();
    const outage = await outageOf(await cluster.newDatabase(), async () =>
      signalAll(former.postgres().slice(0, 1), "SIGKILL"),
    );
    report("a kill of the postmaster", outage, MOST_SECONDS.unplanned);
  });

  it("a frozen synchronous standby delays commits and loses none", { timeout: TIMEOUT_MS }, async () => {
    const standby = await cluster.synchronousStandby();
    const frozen = standby.all();
    const outage = await outageOf(await cluster.newDatabase(), async () => {
      signalAll(frozen, "SIGSTOP");
      await expect
        .poll(async () => (await cluster.synchronousStandby()).name, { timeout: 90_000 })
        .not.toBe(standby.name);
    });
    signalAll(frozen, "SIGCONT");
    report("a synchronous standby that is silent", outage, MOST_SECONDS.unplanned);
  });

  it.skipIf(takesLockBack !== null)(
    "a primary that falls silent and wakes up later loses no acknowledged write",
    {
      timeout: TIMEOUT_MS,
    },
    async () => {
      const former = await cluster.primary();
      const frozen = former.all();
      const outage = await outageOf(await cluster.newDatabase(), async () => {
        signalAll(frozen, "SIGSTOP"); // its connections stay open
        await cluster.promotedAfter(former);
        signalAll(frozen, "SIGCONT"); // for a moment it still believes that it is the primary
      });
      report("a primary that is silent", outage, MOST_SECONDS.unplanned);
    },
  );

  it("a former primary without fencing acknowledges nothing and shares no number", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const former = await cluster.primary();
    const url = await cluster.newDatabase();
    const outage = await outageOf(url, async () => {
      await former.patroni.kill(); // so it does not demote its PostgreSQL
      await cluster.promotedAfter(former);
      const past = url.replace(/:\d+\//, `:${former.port}/`); // past HAProxy
      expect(await runOn(past, "SELECT pg_is_in_recovery() AS recovers")).toEqual([{ recovers: false }]); // two primaries
      const alone = runOn(past, "CREATE TABLE written_alone ()");
      await expect.poll(() => runOn(past, HAS_WAITED), { timeout: 60_000 }).toEqual([{ done: true }]);
      signalAll(former.postgres(), "SIGKILL");
      await expect(alone).rejects.toThrow(); // the commit was never acknowledged
    });
    former.start();
    report("a former primary without fencing", outage, MOST_SECONDS.unplanned);
  });

  it("connections that swallow packets delay requests and lose no write", { timeout: TIMEOUT_MS }, async () => {
    const proxy = await leadingProxy(() => ({ host: "127.0.0.1", port: cluster.haproxyPort }));
    onTestFinished(proxy.close);
    const database = new URL(await cluster.newDatabase()).pathname;
    const url = proxy.url.replace("postgres@/postgres", `budgetkit:budgetkit-password@${database}`);
    const outage = await outageOf(url, async () => proxy.silence());
    report("connections that swallow packets", outage, MOST_SECONDS.unplanned);
  });

  it("a commit with synchronous_mode waits for a standby, and reports the cost", { timeout: TIMEOUT_MS }, async () => {
    const url = await cluster.newDatabase();
    for (const synchronous_mode of [true, false, true]) {
      await cluster.configure({ synchronous_mode });
      const names = async () => (await runOn(url, "SHOW synchronous_standby_names"))[0];
      const isSet = expect.stringMatching(synchronous_mode ? /^"?db\d"?$/ : /^$/);
      await expect.poll(names, { timeout: 60_000 }).toEqual({ synchronous_standby_names: isSet });
      const { medianMs, perSecond } = await speedOfWrites(url);
      process.stdout.write(
        `synchronous_mode ${synchronous_mode}: ${medianMs.toFixed(1)} ms a write, ${perSecond.toFixed(0)} writes a second\n`,
      );
    }
  });
});

/** A line for the page, and a bound that a failure of hours would break. */
function report(cause: string, outage: Outage, mostSeconds: number): void {
  const { requests, failed, acknowledged, longestPauseMs, deliveredAfterMs } = outage;
  const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;
  process.stdout.write(
    `${cause}: ${requests} requests, ${failed} failed, ${acknowledged} writes acknowledged, none lost; ` +
      `no write for ${seconds(longestPauseMs)}; last delivery after ${seconds(deliveredAfterMs)}\n`,
  );
  expect(longestPauseMs).toBeLessThan(mostSeconds * 1_000);
}
