import type { DueClaim, Store } from "@budgetkit/core/store";
import { aBudget, aDelivery, anAttempt, anEvent } from "@budgetkit/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postgresStore } from "./index.js";
import { testSchema } from "./testing/test-schema.js";

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
      lease: { id, until: now + LEASE },
      now,
      limit: 10,
      perBusiness: 10,
      perSubscriber: 10,
      underWay: [],
    };
    return store.claimDue(due);
  }

  function add(now: number): Promise<void> {
    return store.insertDelivery(aDelivery({ nextAttemptAt: now, createdAt: now, updatedAt: now }));
  }

  const settlement = (leaseId: string, now: number) =>
    ({ businessId: "1", deliveryId: "70", leaseId, attempt: anAttempt(), takenBack: 0, now }) as const;

  it("are due at once, whoever adds them and whoever claims", async () => {
    await add(LATE);
    expect(await claim("early", EARLY)).toHaveLength(1);
  });

  it("are taken over by nobody before the lease has lapsed by the clock of the database", async () => {
    await add(EARLY);
    expect(await claim("early", EARLY)).toHaveLength(1);
    expect(await claim("late", LATE)).toEqual([]);
    const end = { ...settlement("early", EARLY), status: "delivered", nextAttemptAt: null } as const;
    expect(await store.settle(end)).toBe("written");
  });

  it("are added under a lease by somebody whose clock is behind, and held by it all the same", async () => {
    const lease = { id: "early", until: EARLY + LEASE };
    await store.insertBudget(aBudget({ id: "90" }), [anEvent({ id: "90", subjectId: "90" })], null);
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
      lease: { id: "late", until: LATE + LEASE },
      now: LATE,
      limit: 1,
      perBusiness: 1,
      perSubscriber: 1,
      underWay: [],
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

  it("are due at once when they are begun anew", async () => {
    await add(LATE);
    await claim("late", LATE);
    await store.settle({ ...settlement("late", LATE), status: "failed", nextAttemptAt: null });
    expect(await store.restartDelivery("1", "70", LATE, LATE + HOUR)).toBe(true);
    expect(await claim("early", EARLY)).toHaveLength(1);
  });
});
