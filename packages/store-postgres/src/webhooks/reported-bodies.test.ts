import { type EventToCommit, namesOfSubscribers, type Store } from "@budgetkit/core/store";
import { aBudget, anEndpoint, anEvent, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { groupedCommits } from "../engine/commits.js";
import type { Session } from "../engine/session.js";
import { testSchema } from "../testing/test-schema.js";

describe("the bodies of planned deliveries", () => {
  const schema = testSchema();
  let store: Store;

  beforeEach(async () => {
    store = await schema.freshStore();
    await store.insertEndpoint(anEndpoint({ id: "60" }));
  });

  afterEach(() => store.close());

  /** An event of a budget with a delivery for the endpoint, and what is reported of it. */
  function planned(id: string, data: EventToCommit["data"] = {}) {
    const reported: (readonly string[])[] = [];
    const plan = {
      subscribers: namesOfSubscribers([{ kind: "endpoint", id: "60", version: 1 }]),
      plannedAt: NOW,
      deliveries: [
        {
          id: `7${id}`,
          subscriber: { kind: "endpoint", id: "60" },
          deadlineAt: NOW,
          orderedSubject: null,
          lease: null,
        },
      ],
      onMade: (bodies: readonly string[]) => void reported.push(bodies),
    } as const;
    return { event: { ...anEvent({ id: `9${id}`, subjectId: id, data }), plan }, reported };
  }

  const bodyOf = async (id: string) => (await store.findDelivery("1", `7${id}`))?.body;

  it("a commit reports the bodies of its planned deliveries, also together with others", async () => {
    const plans = ["11", "12", "13"].map((id) => planned(id, { b: 1, a: [id] }));
    const insert = ({ event }: ReturnType<typeof planned>) =>
      store.insertBudget(aBudget({ id: event.subjectId }), [event], null);
    expect(await Promise.all(plans.map(insert))).toEqual(["written", "written", "written"]);
    const changed = planned("14");
    const event = { ...changed.event, subjectId: "11" };
    expect(await store.replaceBudget(aBudget({ id: "11", version: 2 }), 1, [event], null)).toBe("written");
    expect(changed.reported).toEqual([[await bodyOf("14")]]);
    for (const { event, reported } of plans) expect(reported).toEqual([[await bodyOf(event.subjectId)]]);
    expect(new Set(plans.map(({ reported }) => reported[0]?.[0])).size).toBe(3);
  });

  it("a commit reports the bodies of planned deliveries in order, for each business of a batch", async () => {
    await store.insertEndpoint(anEndpoint({ businessId: "2", id: "60" }));
    const plans = ["1", "2"].map((businessId) => {
      const { event, reported } = planned(`1${businessId}`);
      const [delivery] = event.plan.deliveries;
      const deliveries = [delivery, { ...delivery, id: "70" }];
      return { event: { ...event, businessId, plan: { ...event.plan, deliveries } }, reported };
    });
    await Promise.all(
      plans.map(({ event }) =>
        store.insertBudget(aBudget({ id: event.subjectId, businessId: event.businessId }), [event], null),
      ),
    );
    for (const { event, reported } of plans) {
      const stored = event.plan.deliveries.map(
        async ({ id }) => (await store.findDelivery(event.businessId, id))?.body,
      );
      expect(reported).toEqual([await Promise.all(stored)]);
    }
  });

  it("a repeated commit reports no bodies: the deliveries may have been cancelled since", async () => {
    const reported: (readonly string[])[] = [];
    const call = { call: "any", business: 1, argument: "{}" };
    const plan = { business: 1, ids: [70], onMade: (bodies: readonly string[]) => void reported.push(bodies) };
    const answer = [[[{ values: ["written"] }], ["a body"]]];
    const run = vi.fn<Session["run"]>().mockResolvedValue(answer);
    const commit = groupedCommits({ run }, (sql) => sql);
    expect(await commit({ ...call, planned: [plan] })).toBe("written");
    expect(reported).toEqual([["a body"]]);
    run.mockRejectedValueOnce(Object.assign(new Error("lost"), { code: "ECONNRESET" }));
    expect(await commit({ ...call, planned: [plan] })).toBe("written");
    expect(run).toHaveBeenCalledTimes(3);
    expect(reported).toHaveLength(1);
  });

  it("the reported bodies have the number that the commit draws", async () => {
    const { event, reported } = planned("11", { number: "{blank 11}" });
    const series = { key: "2026", before: "Q-", digits: 4, after: "" };
    const numbering = { kind: "draw", series, blank: "{blank 11}" } as const;
    const budget = aBudget({ id: "11", number: "{blank 11}" });
    expect(await store.insertBudget(budget, [event], null, undefined, numbering)).toEqual({ number: "Q-0001" });
    expect(JSON.parse(reported[0]?.[0] ?? "")).toMatchObject({ data: { number: "Q-0001" } });
    expect(reported).toEqual([[await bodyOf("11")]]);
  });

  it("reports the bodies of no failed call, and of the others in its batch", async () => {
    await store.insertBudget(aBudget({ id: "11" }), [], null);
    const [taken, free] = [planned("11"), planned("12")];
    const outcomes = await Promise.allSettled(
      [taken, free].map(({ event }) => store.insertBudget(aBudget({ id: event.subjectId }), [event], null)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(taken.reported).toEqual([]);
    expect(free.reported).toEqual([[await bodyOf("12")]]);
  });

  it("reports bodies once a business that a host held is free", async () => {
    const client = await schema.pool.connect();
    onTestFinished(() => client.release());
    await client.query("BEGIN");
    await store.withConnection(client).insertBudget(aBudget({ id: "13" }), [], null);
    const { event, reported } = planned("11");
    const inserted = store.insertBudget(aBudget({ id: "11" }), [event], null);
    await expect.poll(() => waitsForLock()).toBe(true);
    await client.query("COMMIT");
    expect(await inserted).toBe("written");
    expect(reported).toEqual([[await bodyOf("11")]]);
  });

  async function waitsForLock(): Promise<boolean> {
    const [row] = await schema.query(
      "SELECT count(*) > 0 AS waits FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
    );
    return row?.waits === true;
  }
});
