import { join } from "node:path";
import type { BudgetService } from "@budgetkit/core";
import { type Batch, measureBatches } from "../harness/batches.js";
import { type Benchmark, type Report, recorded } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { newDatabase, withPostgres } from "../harness/postgres.js";
import { withReceiverProcess } from "../harness/receivers.js";
import type { Settings } from "../harness/settings.js";
import { capsOf } from "../ours/delivery-ticks.js";
import { openPostgresService } from "../ours/postgres-service.js";
import { openService } from "../ours/service.js";

const SUBJECTS = 1_000;
const CONCURRENCY = 50;

export const orderedDeliveries: Benchmark = {
  title: `events of ${SUBJECTS} budgets from a SQLite store to one endpoint, one after the other of each or in any order`,
  run: (settings) =>
    withFolder((folder) =>
      withReceiverProcess((origin) =>
        measurePair("ordered", settings, origin, async (ordering) =>
          openService(join(folder, `${ordering}.db`), "memory", capsOf(CONCURRENCY)),
        ),
      ),
    ),
};

export const orderedDeliveriesOnPostgres: Benchmark = {
  title: `events of ${SUBJECTS} budgets from PostgreSQL to one endpoint, one after the other of each or in any order`,
  run: (settings) =>
    withPostgres((url) =>
      withReceiverProcess((origin) =>
        measurePair("orderedPostgres", settings, origin, async (ordering) => {
          const ours = openPostgresService(await newDatabase(url, ordering), "memory", capsOf(CONCURRENCY));
          await ours.store.migrate();
          return ours;
        }),
      ),
    ),
};

type Ordering = "subject" | "none";
type Opened = { readonly service: BudgetService; close(): Promise<void> };

async function measurePair(
  target: "ordered" | "orderedPostgres",
  settings: Settings,
  origin: string,
  open: (ordering: Ordering) => Promise<Opened>,
): Promise<Report> {
  const batches = [
    await openBatch("ordered by subject", "subject", await open("subject"), origin),
    await openBatch("in any order", "none", await open("none"), origin),
  ];
  const { measured, firstBeside } = await measureBatches(batches, SUBJECTS, settings);
  return {
    measured,
    figures: [{ target, value: measured[0]?.perSecond ?? 0 }, recorded("ordered / in any order", firstBeside(1), "×")],
    notes: [`One event of each budget is there when the clock starts; ${CONCURRENCY} calls at a time.`],
  };
}

/** A change of each budget is committed off the clock; fan-out, claims, calls and their settling are timed. */
async function openBatch(name: string, ordering: Ordering, { service, close }: Opened, origin: string): Promise<Batch> {
  const { id } = (await service.businesses.create({ name: "Webhooks", tier: "ENTERPRISE" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: id } as const;
  const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
  const budgets = await Promise.all(
    Array.from({ length: SUBJECTS }, async () =>
      (await service.budgets.create(actor, { customerId: "ana", items }))._unsafeUnwrap(),
    ),
  );
  (await service.webhooks.create(actor, { url: origin, ordering }))._unsafeUnwrap();
  let changes = 0;
  return {
    name,
    prepare: async () => {
      changes += 1;
      const notes = `Change ${changes}`;
      await Promise.all(
        budgets.map(async (budget) => (await service.budgets.update(actor, budget.id, { notes }))._unsafeUnwrap()),
      );
    },
    run: async () => {
      for (let delivered = 0; delivered < SUBJECTS; ) {
        const tick = await service.webhooks.tick();
        if (tick.fannedOut + tick.delivered === 0) throw new Error(`${delivered} of ${SUBJECTS} deliveries`);
        delivered += tick.delivered;
      }
    },
    close,
  };
}
