import {
  type DueClaim,
  insertBudgetCommit,
  insertEndpointCommit,
  type Store,
  testDeliveryCommit,
} from "@budgetkit/core/store";
import { aBudget, aDelivery, anAttempt, anEndpoint, anEvent } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postgresStore } from "../index.js";
import { testSchema } from "../testing/test-schema.js";

const HOUR = 3_600_000;
const LEASE = HOUR / 2;

/** What callers take the time to be, apart by hours; that of the database is between them. */
const EARLY = Date.now() - HOUR;
const LATE = Date.now() + HOUR;

describe("deliveries that callers with different clocks share", () => {
  const schema = testSchema();
  let store: Store;

  beforeEach(async () => {
    await (await schema.freshStore()).close();
    store = postgresStore(schema.pool, { schema: schema.schema });
  });

  afterEach(() => store.close());

  function claim(id: string, now: number): Promise<readonly { readonly id: string }[]> {
    const due: DueClaim = {
      lease: { token: id, until: now + LEASE },
      now,
      limit: 10,
      perBusiness: 10,
      perSubscriber: 10,
      inFlight: [],
    };
    return store.claimDue(due);
  }

  async function add(now: number): Promise<void> {
    await store.commit(testDeliveryCommit(aDelivery({ nextAttemptAt: now, createdAt: now, updatedAt: now })));
  }

  const settlement = (fencingToken: string, now: number) =>
    ({ businessId: "1", deliveryId: "70", fencingToken, attempt: anAttempt(), refundedAttempts: 0, now }) as const;

  it("are due at once, for any clock that adds or claims them", async () => {
    await add(LATE);
    expect(await claim("early", EARLY)).toHaveLength(1);
  });

  it("are not claimed again before the lease has expired by the clock of the database", async () => {
    await add(EARLY);
    expect(await claim("early", EARLY)).toHaveLength(1);
    expect(await claim("late", LATE)).toEqual([]);
    const end = { ...settlement("early", EARLY), status: "delivered", nextAttemptAt: null } as const;
    expect(await store.settle(end)).toBe("written");
  });

  it("keep a lease that a process with a late clock has added", async () => {
    const lease = { token: "early", until: EARLY + LEASE };
    await store.commit(insertEndpointCommit(anEndpoint()));
    await store.commit(insertBudgetCommit(aBudget({ id: "90" }), { events: [anEvent({ id: "90", subjectId: "90" })] }));
    const [event] = await store.findUndispatchedEvents(1);
    if (event === undefined) throw new Error("no event waits");
    const delivery = aDelivery({ nextAttemptAt: EARLY, createdAt: EARLY, updatedAt: EARLY, attempts: 1, lease });
    await store.fanOut(event, [delivery]);
    expect(await claim("late", LATE)).toEqual([]);
    const left = ((await store.nextDueAt()) ?? 0) - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(LEASE);
  });

  it("are held for as long as the lease was to last", async () => {
    await add(EARLY);
    const [held] = await store.claimDue({
      lease: { token: "late", until: LATE + LEASE },
      now: LATE,
      limit: 1,
      perBusiness: 1,
      perSubscriber: 1,
      inFlight: [],
    });
    const left = (held?.lease?.until ?? 0) - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(LEASE);
    expect(await store.nextDueAt()).toBe(held?.lease?.until);
  });

  it("wait for a retry for as long as was meant", async () => {
    await add(LATE);
    await claim("late", LATE);
    const retry = { ...settlement("late", LATE), status: "retrying", nextAttemptAt: LATE + LEASE } as const;
    expect(await store.settle(retry)).toBe("written");
    expect(await claim("later", LATE + 99 * HOUR)).toEqual([]);
    const wait = ((await store.nextDueAt()) ?? 0) - Date.now();
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(LEASE);
  });

  it("are due at once when they are redelivered", async () => {
    await add(LATE);
    await claim("late", LATE);
    await store.settle({ ...settlement("late", LATE), status: "failed", nextAttemptAt: null });
    expect(await store.redeliver("1", "70", LATE, LATE + HOUR)).toBe(true);
    expect(await claim("early", EARLY)).toHaveLength(1);
  });
});
