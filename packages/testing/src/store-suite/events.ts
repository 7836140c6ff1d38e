import assert from "node:assert/strict";
import {
  auditCommit,
  type DomainEvent,
  EVENT_TYPES,
  type EventQuery,
  insertBudgetCommit,
  replaceBudgetCommit,
  type Store,
} from "@budgetkit/core/store";
import { aBudget, anAuditEntry, anEvent, anEventQuery, anIdempotencyRecord, FIXTURE_TIME } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

const BUSINESS = "1";

/** Four commits of one event each, from the first to the last. */
const EVENTS = [
  anEvent({ id: "91", type: "budget.created", subjectId: "10", occurredAt: FIXTURE_TIME }),
  anEvent({ id: "92", type: "budget.updated", subjectId: "10", occurredAt: FIXTURE_TIME + 10 }),
  anEvent({ id: "93", type: "budget.created", subjectId: "11", occurredAt: FIXTURE_TIME + 20 }),
  anEvent({ id: "94", type: "budget.approved", subjectId: "10", occurredAt: FIXTURE_TIME + 30 }),
];

/** The sequences of a business's events, the first event first. */
async function sequencesOf(store: Store, businessId = BUSINESS): Promise<readonly number[]> {
  const { entries } = await store.listEvents(businessId, anEventQuery());
  return entries.map(({ sequence }) => sequence).reverse();
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

export function eventCases({ describe, it }: Suite): void {
  describe("the order of events", () => {
    it("lists events with the newest commit first", async (store) => {
      await fill(store);
      assert.deepEqual(await idsOf(store), ["94", "93", "92", "91"]);
    });

    it("orders events by their commits, not by their own times", async (store) => {
      for (const [id, occurredAt] of [
        ["91", 300],
        ["92", 100],
        ["93", 200],
      ] as const) {
        await store.commit(
          insertBudgetCommit(aBudget({ id }), { events: [anEvent({ id, occurredAt: FIXTURE_TIME + occurredAt })] }),
        );
      }
      assert.deepEqual(await idsOf(store), ["93", "92", "91"]);
    });

    it("keeps the events of one commit in the given order", async (store) => {
      const events = ["95", "91", "99", "93"].map((id) => anEvent({ id }));
      await store.commit(insertBudgetCommit(aBudget(), { events }));
      assert.deepEqual(await idsOf(store), ["93", "99", "91", "95"]);
    });

    it("numbers the events of a business 1, 2, 3 …, audit entries included", async (store) => {
      await fill(store);
      await store.commit(
        insertBudgetCommit(aBudget({ id: "50" }), { events: [anEvent({ id: "95" }), anEvent({ id: "96" })] }),
      );
      await store.commit(auditCommit(anAuditEntry({ id: "97" })));
      await store.commit(insertBudgetCommit(aBudget({ id: "51" }), { events: [anEvent({ id: "98" })] }));
      assert.deepEqual(await sequencesOf(store), upTo(8));
    });

    it("numbers the events of each business by themselves, without gaps for the commits of others", async (store) => {
      await subscribe(store, "1", "2", "3");
      for (const [index, businessId] of ["2", "1", "3", "2", "2", "1", "3", "2"].entries()) {
        const id = String(10 + index);
        await store.commit(
          insertBudgetCommit(aBudget({ businessId, id }), {
            events: [anEvent({ businessId, id: String(90 + index) })],
          }),
        );
      }
      assert.deepEqual(await sequencesOf(store, "1"), upTo(2));
      assert.deepEqual(await sequencesOf(store, "2"), upTo(4));
      assert.deepEqual(await sequencesOf(store, "3"), upTo(2));
      const waiting = await store.findUndispatchedEvents(10);
      assert.deepEqual(
        waiting.map(({ id, sequence }) => [id, sequence]),
        [
          ["90", 1],
          ["91", 1],
          ["92", 1],
          ["93", 2],
          ["94", 3],
          ["95", 2],
          ["96", 2],
          ["97", 4],
        ],
      );
    });

    it("leaves no gap in the event sequence for a commit that is refused or fails", async (store) => {
      await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent({ id: "91" })] }));
      assert.equal(
        await outcomeOf(store, replaceBudgetCommit(aBudget({ version: 8 }), 7, { events: [anEvent({ id: "92" })] })),
        "stale",
      );
      const lost = anIdempotencyRecord({ claimId: "lost" });
      assert.equal(
        await outcomeOf(
          store,
          insertBudgetCommit(aBudget({ id: "11" }), { events: [anEvent({ id: "93" })], completes: lost }),
        ),
        "claim-lost",
      );
      await Promise.all([
        assert.rejects(
          outcomeOf(store, insertBudgetCommit(aBudget(), { events: [anEvent({ id: "94" }), anEvent({ id: "95" })] })),
        ),
        outcomeOf(store, insertBudgetCommit(aBudget({ id: "12" }), { events: [anEvent({ id: "96" })] })),
        outcomeOf(store, auditCommit(anAuditEntry({ id: "97" }))),
      ]);
      assert.deepEqual(await sequencesOf(store), upTo(3));
    });

    it("leaves no gap in event sequences between concurrent commits of several businesses", async (store) => {
      await allAtOnce(40, (index) => {
        const businessId = String(1 + (index % 4));
        const id = String(index + 1);
        const events = [0, 1].map((n) => anEvent({ businessId, id: `${id}-${n}`, subjectId: id }));
        return outcomeOf(store, insertBudgetCommit(aBudget({ businessId, id }), { events }));
      });
      for (const businessId of ["1", "2", "3", "4"]) {
        assert.deepEqual(await sequencesOf(store, businessId), upTo(20));
      }
    });

    it("gives ascending sequences to concurrent commits, and keeps the events of each together", async (store) => {
      await allAtOnce(30, (index) => {
        const events = [0, 1, 2].map((n) =>
          anEvent({ id: String(1_000 + index * 3 + n), subjectId: String(index + 1) }),
        );
        return outcomeOf(store, insertBudgetCommit(aBudget({ id: String(index + 1) }), { events }));
      });
      const { entries } = await store.listEvents(BUSINESS, anEventQuery());
      assert.equal(new Set(entries.map((event) => event.sequence)).size, 90);
      for (let first = 0; first < 90; first += 3) {
        const commit = entries.slice(first, first + 3).map((event) => Number(event.id));
        const lowest = Math.min(...commit);
        assert.equal((lowest - 1_000) % 3, 0);
        assert.deepEqual(commit, [lowest + 2, lowest + 1, lowest]);
      }
    });
  });

  describe("listing events", () => {
    const filters: readonly [name: string, query: Partial<EventQuery>, ids: readonly string[]][] = [
      ["a type", { type: "budget.created" }, ["93", "91"]],
      ["a type that has not occurred", { type: "customer.created" }, []],
      ["a subject", { subjectId: "10" }, ["94", "92", "91"]],
      ["a subject that is unknown", { subjectId: "1" }, []],
      ["a type and a subject", { type: "budget.created", subjectId: "10" }, ["91"]],
      ["since a moment, inclusive", { since: FIXTURE_TIME + 20 }, ["94", "93"]],
      ["since just after a moment", { since: FIXTURE_TIME + 21 }, ["94"]],
      ["until a moment, inclusive", { until: FIXTURE_TIME + 10 }, ["92", "91"]],
      ["until just before a moment", { until: FIXTURE_TIME + 9 }, ["91"]],
      ["a stretch of time", { since: FIXTURE_TIME + 10, until: FIXTURE_TIME + 20 }, ["93", "92"]],
      ["an empty stretch of time", { since: FIXTURE_TIME + 20, until: FIXTURE_TIME + 10 }, []],
      [
        "everything at once",
        { type: "budget.updated", subjectId: "10", since: FIXTURE_TIME, until: FIXTURE_TIME + 10 },
        ["92"],
      ],
    ];
    it("filters events by type, subject and time", async (store) => {
      await fill(store);
      for (const [name, query, ids] of filters) assert.deepEqual(await idsOf(store, query), ids, name);
    });

    it("pages of events together hold each once, and count the whole list", async (store) => {
      await fill(store);
      const pages = [];
      for (const offset of [0, 2, 4]) pages.push(await store.listEvents(BUSINESS, anEventQuery({ limit: 2, offset })));
      assert.deepEqual(
        pages.map((page) => page.entries.map((event) => event.id)),
        [["94", "93"], ["92", "91"], []],
      );
      assert.deepEqual(
        pages.map((page) => page.total),
        [4, 4, 4],
      );
    });

    it("counts only the events that the filter keeps", async (store) => {
      await fill(store);
      const page = await store.listEvents(BUSINESS, anEventQuery({ subjectId: "10", limit: 1 }));
      assert.equal(page.total, 3);
    });

    it("lists events of their own business alone", async (store) => {
      await fill(store);
      const theirs = anEvent({ businessId: "2", id: "99" });
      await store.commit(insertBudgetCommit(aBudget({ businessId: "2", id: "77" }), { events: [theirs] }));
      assert.deepEqual(await idsOf(store), ["94", "93", "92", "91"]);
      const page = await store.listEvents("2", anEventQuery());
      assert.deepEqual(
        page.entries.map((event) => event.id),
        ["99"],
      );
      assert.equal(page.total, 1);
    });

    for (const type of EVENT_TYPES) {
      it(`stores ${type} and finds it by its type`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent({ id: "95", type })] }));
        assert.deepEqual(await idsOf(store, { type }), ["95"]);
      });
    }
  });

  describe("events that are asked about", () => {
    it("finds the places of the requested events, in the order of the request", async (store) => {
      await fill(store);
      const unknown = anEvent({ id: "99" });
      const [first = unknown, second = unknown, third = unknown] = EVENTS;
      const asked = [unknown, third, first, unknown, third, second];
      const [one, two, three] = [
        { sequence: 1, revision: 1 },
        { sequence: 2, revision: 2 },
        { sequence: 3, revision: 1 },
      ];
      assert.deepEqual(await store.placesOfEvents(asked), [null, three, one, null, three, two]);
      assert.deepEqual(await store.placesOfEvents([]), []);
    });

    const others: Readonly<Record<string, Partial<DomainEvent>>> = {
      "another business": { businessId: "2" },
      "another subject": { subjectId: "11" },
      "another type": { type: "budget.deleted" },
      "another moment": { occurredAt: FIXTURE_TIME + 1 },
      "another id": { id: "92" },
      "an id that is none": { id: "\0" },
      "a business that is none": { businessId: "01" },
    };
    for (const [name, difference] of Object.entries(others)) {
      it(`finds no place of an event with ${name}`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
        const places = await store.placesOfEvents([anEvent(difference), anEvent()]);
        assert.deepEqual(places, [null, { sequence: 1, revision: 1 }]);
      });
    }

    it("finds the places of some thousand events", async (store) => {
      const events = Array.from({ length: 2_000 }, (_, index) => anEvent({ id: String(1_000 + index) }));
      await store.commit(insertBudgetCommit(aBudget(), { events: events.filter((_, index) => index % 2 === 0) }));
      const places = await store.placesOfEvents(events);
      assert.deepEqual(
        places.map((place) => place !== null),
        events.map((_, index) => index % 2 === 0),
      );
    });
  });
}

async function fill(store: Store): Promise<void> {
  for (const [index, event] of EVENTS.entries()) {
    await store.commit(insertBudgetCommit(aBudget({ id: String(40 + index) }), { events: [event] }));
  }
}

async function idsOf(store: Store, query: Partial<EventQuery> = {}): Promise<string[]> {
  const page = await store.listEvents(BUSINESS, anEventQuery(query));
  assert.equal(page.total, page.entries.length);
  return page.entries.map((event) => event.id);
}
