import { join } from "node:path";
import type { Store, UsageGrain, UsageRow } from "@budgetkit/core/store";
import { type Benchmark, recorded } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { functionSide } from "../harness/function-side.js";
import { measureInTurn } from "../harness/rounds.js";
import { openService } from "../ours/service.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const DAYS = 90;
const PERIODS = ["1h", "24h", "7d", "30d", "90d"] as const;

/** Each route is asked so often in each minute: 10.4 million requests in 90 days. */
const A_MINUTE = 4;
const ROUTES = Array.from({ length: 20 }, (_, index) => ({ method: "GET", path: `/api/public/things-${index}/{id}` }));
const ALL_ROUTES = [{ method: "", path: "" }];

/** How long the answers of statistics take, with the usage of a busy key behind it. */
export const usage: Benchmark = {
  title: "statistics of a key with 10.4 million requests in 90 days on 20 routes, in process",
  run: (settings) =>
    withFolder(async (folder) => {
      const { service, store, close } = openService(join(folder, "usage.db"), "memory");
      await service.start();
      const business = (await service.businesses.create({ name: "Busy" }))._unsafeUnwrap();
      const actor = { kind: "system", businessId: business.id } as const;
      const key = (await service.keys.create(actor, { name: "Busy", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
      const rows = await fill(store, { businessId: business.id, keyId: key.id, now: Date.now() });
      const statistics = PERIODS.map((period) =>
        functionSide(`statistics, ${period}`, async (count) => {
          for (let done = 0; done < count; done += 1) {
            const answer = (await service.usage.statistics(actor, key.id, { period }))._unsafeUnwrap();
            if (answer.totalRequests === 0) throw new Error("nothing was counted");
          }
        }),
      );
      const dashboard = functionSide("dashboard, 90d", async (count) => {
        for (let done = 0; done < count; done += 1) {
          (await service.usage.dashboard(actor, { period: "90d" }))._unsafeUnwrap();
        }
      });
      const measured = await measureInTurn([...statistics, dashboard], settings);
      const { totalRequests } = (await service.usage.statistics(actor, key.id, { period: "90d" }))._unsafeUnwrap();
      await close();
      return {
        measured,
        figures: measured.map(({ side, p50 }) => recorded(`${side}, p50`, p50 / 1_000, "ms")),
        notes: [`${totalRequests.toLocaleString("en-US")} requests are kept in ${rows.toLocaleString("en-US")} rows.`],
      };
    }),
};

interface Filling {
  readonly businessId: string;
  readonly keyId: string;
  readonly now: number;
}

/** Writes what the recorder would have left behind after 90 such days, and gives the number of rows. */
async function fill(store: Store, filling: Filling): Promise<number> {
  const { now } = filling;
  const minutes = await fillGrain(store, filling, { grain: "minute", lengthMs: MINUTE_MS, since: now - 2 * DAY_MS });
  const since = now - (DAYS + 1) * DAY_MS;
  const hours = await fillGrain(store, filling, { grain: "hour", lengthMs: HOUR_MS, since });
  const totals = await fillGrain(store, filling, { grain: "hour-total", lengthMs: HOUR_MS, since });
  return minutes + hours + totals + (await fillGrain(store, filling, { grain: "day", lengthMs: DAY_MS, since }));
}

interface Filled {
  readonly grain: UsageGrain;
  readonly lengthMs: number;
  readonly since: number;
}

async function fillGrain(
  store: Store,
  { businessId, keyId, now }: Filling,
  { grain, lengthMs, since }: Filled,
): Promise<number> {
  const routes = grain === "hour-total" ? ALL_ROUTES : ROUTES;
  const requests = A_MINUTE * (lengthMs / MINUTE_MS) * (grain === "hour-total" ? ROUTES.length : 1);
  let rows = 0;
  for (let at = since - (since % lengthMs); at <= now; at += lengthMs) {
    const counts = { requests, errors: Math.floor(requests / 50), refusals: 0, durationUs: requests * 2_100 };
    const wave: UsageRow[] = routes.flatMap((route) =>
      [keyId, null].map((key) => ({ businessId, keyId: key, grain, at, ...route, ...counts })),
    );
    await store.addUsage(wave);
    rows += wave.length;
  }
  return rows;
}
