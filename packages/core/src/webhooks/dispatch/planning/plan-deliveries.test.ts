import { anApiKey, anEndpoint, anEvent } from "@budgetkit/testing";
import { expect, it } from "vitest";
import { namesOfSubscribers } from "../../../commit/delivery-plan.js";
import { DAY_MS } from "../../../kernel/clock.js";
import { planDeliveries, recipientsOf } from "./plan-deliveries.js";

const NOW = 1_000;
const LEASE = { token: "mine", until: NOW + 1 };

const every = anEndpoint({ id: "60", retryDelaysSeconds: [0, 90_000] });
const ordered = anEndpoint({ id: "61", version: 3, events: ["budget.approved"], ordering: "subject" });
const key = anApiKey({ id: "20", scopes: ["READ_BUDGETS"], webhookUrl: "https://hooks.example/key" });
const subscribers = { endpoints: [every, ordered], keys: [key] };

const created = anEvent({ id: "90", type: "budget.created", subjectId: "10" });
const approved = anEvent({ id: "91", type: "budget.approved", subjectId: "10" });
const customer = anEvent({ id: "92", type: "customer.created", subjectId: "5" });

/** The plan of a commit of these events, with the ids 70, 71 … and these leases. */
function planOf(events: Parameters<typeof recipientsOf>[0], leases: readonly (typeof LEASE | null)[] = []) {
  const recipients = recipientsOf(events, subscribers, NOW);
  const ids = recipients.map((_, index) => String(70 + index));
  return planDeliveries(recipients, subscribers, { plannedAt: NOW, ids, leases });
}

it("plans a delivery of each event for each subscriber that gets it, in the order of the events", () => {
  const planned = planOf([created, approved, customer]).deliveries;
  expect(planned.map(({ id, eventId, subscriber }) => [id, eventId, `${subscriber.kind} ${subscriber.id}`])).toEqual([
    ["70", "90", "endpoint 60"],
    ["71", "90", "key 20"],
    ["72", "91", "endpoint 60"],
    ["73", "91", "endpoint 61"],
    ["74", "91", "key 20"],
    ["75", "92", "endpoint 60"],
  ]);
});

it("writes all subscribers of the business with their versions into the plan, also those that get nothing", () => {
  expect(planOf([customer])).toMatchObject({
    plannedAt: NOW,
    subscribers: namesOfSubscribers([
      { kind: "endpoint", id: "60", version: 1 },
      { kind: "endpoint", id: "61", version: 3 },
      { kind: "key", id: "20", version: 1 },
    ]),
  });
});

it("gives each delivery the deadline of its subscriber's schedule", () => {
  const [toEndpoint, toKey] = planOf([created]).deliveries;
  expect(toEndpoint?.deadlineAt).toBe(NOW + 108_000_000); // with the jitter
  expect(toKey?.deadlineAt).toBe(NOW + DAY_MS);
});

it("gives each delivery its lease; null where there is none", () => {
  expect(planOf([created], [null, LEASE]).deliveries.map(({ lease }) => lease)).toEqual([null, LEASE]);
});

it("writes the subject of an ordered delivery with its kind into the plan", () => {
  expect(planOf([approved]).deliveries.map(({ orderedSubject }) => orderedSubject)).toEqual([null, "budget 10", null]);
});

it("plans nothing for events that no subscriber gets", () => {
  const [, endpoint] = subscribers.endpoints;
  const few = { endpoints: endpoint === undefined ? [] : [endpoint], keys: [] };
  expect(recipientsOf([customer], few, NOW)).toEqual([]);
  const names = namesOfSubscribers([{ kind: "endpoint", id: "61", version: 3 }]);
  expect(planDeliveries([], few, { plannedAt: NOW, ids: [], leases: [] })).toEqual({
    subscribers: names,
    plannedAt: NOW,
    deliveries: [],
  });
});

it("refuses fewer ids than deliveries", () => {
  const recipients = recipientsOf([created], subscribers, NOW);
  expect(() => planDeliveries(recipients, subscribers, { plannedAt: NOW, ids: ["70"], leases: [] })).toThrow(
    RangeError,
  );
});
