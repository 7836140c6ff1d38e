import {
  type DeliveryPlan,
  type DomainEvent,
  insertBudgetCommit,
  insertEndpointCommit,
  namesOfSubscribers,
  type PlannedDelivery,
  replaceBudgetCommit,
  type Store,
} from "@budgetkit/core/store";
import { aBudget, anEndpoint, anEvent, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { postgresStore } from "../index.js";
import { proxyThatLoses } from "../testing/cutting-proxy.js";
import { testSchema } from "../testing/test-schema.js";

interface PlannedEvents {
  readonly events: readonly DomainEvent[];
  readonly deliveries: DeliveryPlan;
}

interface Planned {
  readonly businessId?: string;
  readonly data?: DomainEvent["data"];
  readonly token?: string | null; // null = another process sends the delivery
}

describe("the bodies of planned deliveries", () => {
  const schema = testSchema();
  let store: Store;

  beforeEach(async () => {
    store = await schema.freshStore();
    await store.commit(insertEndpointCommit(anEndpoint({ id: "60" })));
  });

  afterEach(() => store.close());

  /** An event of a budget in a commit that plans a delivery of it for the endpoint. */
  function planned(id: string, { businessId = "1", data = {}, token = "mine" }: Planned = {}): PlannedEvents {
    const event = anEvent({ businessId, id: `9${id}`, subjectId: id, data });
    const delivery = {
      id: `7${id}`,
      eventId: event.id,
      subscriber: { kind: "endpoint" as const, id: "60" },
      deadlineAt: NOW,
      orderedSubject: null,
      lease: token === null ? null : { token, until: NOW + 1 },
    } satisfies PlannedDelivery;
    const subscribers = namesOfSubscribers([{ kind: "endpoint", id: "60", version: 1 }]);
    return { events: [event], deliveries: { subscribers, plannedAt: NOW, deliveries: [delivery] } };
  }

  /** The made deliveries that the commit of a new budget reports. */
  async function madeBy(id: string, beside: PlannedEvents, businessId = "1") {
    const committed = await store.commit(insertBudgetCommit(aBudget({ id, businessId }), beside));
    return committed.kind === "written" ? committed.made : committed;
  }

  async function stored(id: string, businessId = "1") {
    return { id, body: (await store.findDelivery(businessId, id))?.body };
  }

  it("a commit reports the bodies of its planned deliveries, also together with others", async () => {
    const made = await Promise.all(
      ["11", "12", "13"].map((id) => madeBy(id, planned(id, { data: { b: 1, a: [id] } }))),
    );
    expect(made).toEqual([[await stored("711")], [await stored("712")], [await stored("713")]]);
    expect(new Set(made.flat().map((each) => JSON.stringify(each))).size).toBe(3);
    const change = replaceBudgetCommit(aBudget({ id: "11", version: 2 }), 1, planned("14"));
    expect(await store.commit(change)).toEqual({
      kind: "written",
      number: null,
      made: [await stored("714")],
      mayWait: false,
    });
  });

  it("a commit reports the bodies of planned deliveries in order, for each business of a batch", async () => {
    await store.commit(insertEndpointCommit(anEndpoint({ businessId: "2", id: "60" })));
    const made = await Promise.all(
      ["1", "2"].map((businessId) => {
        const { events, deliveries: plan } = planned(`1${businessId}`, { businessId });
        const deliveries = plan.deliveries.flatMap((delivery) => [delivery, { ...delivery, id: "70" }]);
        return madeBy(`1${businessId}`, { events, deliveries: { ...plan, deliveries } }, businessId);
      }),
    );
    expect(made).toEqual([
      [await stored("711", "1"), await stored("70", "1")],
      [await stored("712", "2"), await stored("70", "2")],
    ]);
  });

  it("a commit reports no bodies when the subscribers have changed since the plan, also beside a plan that holds", async () => {
    const late = { subscribers: namesOfSubscribers([]), plannedAt: NOW };
    const { events, deliveries } = planned("11");
    const outdated = { events, deliveries: { ...deliveries, ...late } };
    const made = await Promise.all([madeBy("11", outdated), madeBy("12", planned("12"))]);
    expect(made).toEqual([[], [await stored("712")]]);
    expect(await store.findDelivery("1", "711")).toBeNull();
  });

  it("a commit reports the bodies of its planned deliveries, also of those without a lease", async () => {
    const { events, deliveries: plan } = planned("11", { token: null });
    const lease = { token: "mine", until: NOW + 1 };
    const deliveries = plan.deliveries.flatMap((first) => [
      first,
      { ...first, id: "70" },
      { ...first, id: "71", lease },
    ]);
    const made = await madeBy("11", { events, deliveries: { ...plan, deliveries } });
    expect(made).toEqual([await stored("711"), await stored("70"), await stored("71")]);
    expect(await store.findDelivery("1", "70")).toMatchObject({ status: "pending" });
  });

  it("a commit reports no bodies of a plan without deliveries", async () => {
    const { events, deliveries: plan } = planned("11");
    expect(await madeBy("11", { events, deliveries: { ...plan, deliveries: [] } })).toEqual([]);
  });

  it("a repeated commit reports no bodies: its deliveries may have been cancelled since", async () => {
    const proxy = await proxyThatLoses(schema.url, "COMMIT");
    const cut = postgresStore(proxy.url, { schema: schema.schema, clock: "caller", listen: false });
    const committed = await cut.commit(insertBudgetCommit(aBudget({ id: "11" }), planned("11")));
    await cut.close();
    await proxy.close();
    expect(proxy.cuts).toBe(1);
    expect(await store.findDelivery("1", "711")).toMatchObject({ status: "pending" });
    expect(committed).toMatchObject({ kind: "written", made: null });
  });

  it("the reported bodies have the number that the commit draws", async () => {
    const series = { key: "2026", before: "Q-", digits: 4, after: "" };
    const numbering = { kind: "draw", series, blank: "{blank 11}" } as const;
    const budget = aBudget({ id: "11", number: "{blank 11}" });
    const beside = { ...planned("11", { data: { number: "{blank 11}" } }), numbering };
    const made = [await store.commit(insertBudgetCommit(budget, beside))];
    expect(made).toEqual([{ kind: "written", number: "Q-0001", made: [await stored("711")], mayWait: false }]);
    expect(JSON.parse((await stored("711")).body ?? "")).toMatchObject({ data: { number: "Q-0001" } });
  });

  it("reports the bodies of no failed call, and of the others in its batch", async () => {
    await store.commit(insertBudgetCommit(aBudget({ id: "11" })));
    const outcomes = await Promise.allSettled([madeBy("11", planned("11")), madeBy("12", planned("12"))]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ value: [await stored("712")] });
  });

  it("reports bodies once a business that a host held is free", async () => {
    const client = await schema.pool.connect();
    onTestFinished(() => client.release());
    await client.query("BEGIN");
    await store.withConnection(client).commit(insertBudgetCommit(aBudget({ id: "13" })));
    const made = madeBy("11", planned("11"));
    await expect.poll(() => waitsForLock()).toBe(true);
    await client.query("COMMIT");
    expect(await made).toEqual([await stored("711")]);
  });

  async function waitsForLock(): Promise<boolean> {
    const [row] = await schema.query(
      "SELECT count(*) > 0 AS waits FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
    );
    return row?.waits === true;
  }
});
