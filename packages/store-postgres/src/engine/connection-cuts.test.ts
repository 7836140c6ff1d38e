import { insertBudgetCommit, replaceBudgetCommit, StoreUnavailable, testDeliveryCommit } from "@budgetkit/core/store";
import {
  aBudget,
  aDelivery,
  anAttempt,
  anEvent,
  anEventQuery,
  FIXTURE_TIME,
  outcomeOf,
  rounds,
} from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { postgresStore } from "../index.js";
import { cuttingProxy } from "../testing/cutting-proxy.js";
import { testSchema } from "../testing/test-schema.js";

const CUTS = rounds({ small: 60, full: 5_000 });
const WRITERS = 12;
const SEED = 20_261_121;

describe("when connections to PostgreSQL are cut", () => {
  const schema = testSchema();

  it(`nothing acknowledged is lost and nothing happens twice, over ${CUTS} cuts (seed ${SEED})`, async () => {
    const direct = await schema.freshStore();
    const random = seeded(SEED);
    const proxy = await cuttingProxy(schema.url, random);
    const store = postgresStore(proxy.url, { schema: schema.schema });
    const unexpected: unknown[] = [];

    /** Undefined = the store was unavailable: it is unknown whether the change was made. */
    async function unlessAway<T>(work: () => Promise<T>): Promise<T | undefined> {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) unexpected.push(error);
        return undefined;
      }
    }

    async function write(writer: number): Promise<void> {
      for (let number = 0; proxy.cuts < CUTS; number += 1) {
        const id = String(10_000 + writer * 100_000 + number);
        const business = String(1 + (number % 3));
        const budget = aBudget({ id, businessId: business });
        const event = (name: string) => anEvent({ id: `${id}-${name}`, businessId: business, subjectId: id });
        const inserted = await unlessAway(() => outcomeOf(store, insertBudgetCommit(budget, { events: [event("1")] })));
        if (inserted === undefined) {
          const found = await direct.findBudget(business, id);
          if (found === null) {
            expect((await direct.listEvents(business, anEventQuery({ subjectId: id }))).total).toBe(0);
            continue;
          }
        } else expect(inserted).toBe("written");
        let version = 1;
        for (let change = 0; change < 3; change += 1) {
          const next = aBudget({ id, businessId: business, version: version + 1, notes: `version ${version + 1}` });
          const at = version;
          const replaced = await unlessAway(() =>
            outcomeOf(store, replaceBudgetCommit(next, at, { events: [event(String(at + 1))] })),
          );
          if (replaced !== undefined) expect(replaced).toBe("written");
          const read = replaced === undefined ? await direct.findBudget(business, id) : next;
          version = read?.version ?? 0;
          expect([at, at + 1]).toContain(version);
        }
        expect((await direct.findBudget(business, id))?.version).toBe(version);
        const events = await direct.listEvents(business, anEventQuery({ subjectId: id }));
        expect(events.entries.map((entry) => entry.id).sort()).toEqual(
          Array.from({ length: version }, (_, index) => `${id}-${index + 1}`),
        );
      }
    }

    async function deliver(writer: number): Promise<void> {
      for (let number = 0; proxy.cuts < CUTS; number += 1) {
        const delivery = { businessId: "1", id: String(10_000 + writer * 100_000 + number) };
        const lease = { token: `lease-${delivery.id}`, until: FIXTURE_TIME };
        await unlessAway(() => store.commit(testDeliveryCommit(aDelivery({ ...delivery, lease }))));
        if ((await direct.findDelivery("1", delivery.id)) === null) continue;
        const attempt = anAttempt({ deliveryId: delivery.id });
        const end = { status: "delivered", nextAttemptAt: null, refundedAttempts: 0, now: FIXTURE_TIME } as const;
        const held = { businessId: "1", deliveryId: delivery.id, fencingToken: lease.token };
        const settled = await unlessAway(() => store.settle({ ...held, ...end, attempt }));
        if (settled === undefined) continue;
        expect(settled).toBe("written");
        expect(await direct.listAttempts("1", delivery.id)).toEqual([attempt]);
      }
    }

    await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => (writer % 2 === 0 ? write(writer) : deliver(writer))),
    );
    proxy.relent();
    expect(unexpected).toEqual([]);
    await expect.poll(() => store.findOutage()).toBeNull(); // the last cut may still be on its way
    await store.close();
    await proxy.close();
    await direct.close();
  }, 1_800_000);
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
