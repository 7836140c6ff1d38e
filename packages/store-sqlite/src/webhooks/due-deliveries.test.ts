import { testDeliveryCommit } from "@budgetkit/core/store";
import { aDelivery, drawInteger, memoryStore, FIXTURE_TIME as NOW, seededRandom } from "@budgetkit/testing";
import { expect, it } from "vitest";
import { sqliteStore } from "../index.js";

it("claims the due deliveries that the rule chooses, at any backlog, share and number of calls in flight", async () => {
  const random = seededRandom(7);
  const below = (limit: number) => drawInteger(random, limit);
  const stores = [sqliteStore(":memory:"), memoryStore()] as const;
  for (const store of stores) await store.migrate();
  let claimed = 0;
  for (let step = 0, id = 1; step < 150; step += 1) {
    const now = NOW + step;
    const businesses = 1 + Math.floor(step / 50);
    const subscriberOf = () => ({ kind: below(2) === 0 ? "endpoint" : "key", id: String(60 + below(2)) }) as const;
    for (let count = below(12); count > 0; count -= 1, id += 1) {
      const nextAttemptAt = now - 5 + below(8);
      const businessId = String(1 + below(businesses));
      const delivery = aDelivery({ businessId, id: String(id), subscriber: subscriberOf(), nextAttemptAt });
      for (const store of stores) await store.commit(testDeliveryCommit(delivery));
    }
    const inFlight = [1, 2, 3].flatMap((business) =>
      below(2) === 0 ? [] : [{ businessId: String(business), subscriber: subscriberOf(), calls: 1 + below(3) }],
    );
    const lease = { token: `lease-${step}`, until: now + 1 + below(30) };
    const shares = { limit: 1 + below(6), perBusiness: 1 + below(6), perSubscriber: 1 + below(4) };
    const [ours, expected] = await Promise.all(
      stores.map((store) => store.claimDue({ lease, now, inFlight, ...shares })),
    );
    expect(ours).toEqual(expected);
    expect(await stores[0].nextDueAt()).toBe(await stores[1].nextDueAt());
    claimed += ours?.length ?? 0;
  }
  expect(claimed).toBeGreaterThan(300);
});
