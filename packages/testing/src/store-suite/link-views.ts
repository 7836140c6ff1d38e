import assert from "node:assert/strict";
import {
  countViewCommit,
  type DomainEvent,
  EMPTY_PROFILE,
  insertBusinessCommit,
  type LinkView,
  MAX_VIEWINGS,
  MINUTE_MS,
  type Store,
  type ViewChannel,
} from "@budgetkit/core/store";
import { aBusiness, anEvent, anEventQuery, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

const GAP_MS = 10 * MINUTE_MS;

function aView(at: number = NOW, channel: ViewChannel = "link", budgetId = "10"): LinkView {
  return { businessId: "1", budgetId, channel, device: "phone", at };
}

const viewed = (id = "90") => [anEvent({ id, type: "budget.viewed" })];

/** Counts a view as the first of its budget, else as a later one. */
async function count(store: Store, view: LinkView, events: readonly DomainEvent[] = []): Promise<string> {
  const first = await outcomeOf(store, countViewCommit(view, GAP_MS, true, { events }));
  if (first === "written") return "first";
  const later = first === "stale" ? await outcomeOf(store, countViewCommit(view, GAP_MS, false)) : first;
  return later === "written" ? "counted" : String(later);
}

export function linkViewCases({ describe, it, itDurably }: Suite): void {
  describe("views of a public link", () => {
    itDurably("counts views of a public link by channel, with the first and the last", async (store) => {
      await count(store, aView(NOW, "mail"));
      await count(store, aView(NOW + GAP_MS, "link"));
      assert.equal(await count(store, aView(NOW + 2 * GAP_MS, "mail")), "counted");
      assert.deepEqual(await store.listLinkViews("1", "10"), [
        { channel: "link", views: 1, first: NOW + GAP_MS, last: NOW + GAP_MS },
        { channel: "mail", views: 2, first: NOW, last: NOW + 2 * GAP_MS },
      ]);
    });

    it("the first view of a budget alone has an event", async (store) => {
      await subscribe(store, "1");
      assert.equal(await count(store, aView(), viewed()), "first");
      assert.equal(await count(store, aView(NOW + GAP_MS, "mail"), viewed("91")), "counted");
      assert.deepEqual(await eventsOf(store), ["90"]);
      assert.deepEqual(
        (await store.findUndispatchedEvents(10)).map(({ id }) => id),
        ["90"],
      );
    });

    it("counts views by one kind of device within the gap as one, also by different channels", async (store) => {
      await count(store, aView());
      assert.equal(await count(store, aView(NOW + GAP_MS - 1, "mail"), viewed()), "repeated");
      assert.equal(await count(store, aView(NOW - 5, "mail"), viewed()), "repeated");
      assert.equal((await store.listLinkViews("1", "10")).length, 1);
      assert.deepEqual(await eventsOf(store), []);
    });

    it("counts views by different kinds of devices within the gap", async (store) => {
      await count(store, aView());
      assert.equal(await count(store, { ...aView(NOW + 1), device: "computer" }), "counted");
      assert.equal(await count(store, { ...aView(NOW + 2), device: "computer" }), "repeated");
      const { entries } = await store.listViewings("1", "10", 10, 0);
      assert.deepEqual(entries, [
        { at: NOW + 1, device: "computer" },
        { at: NOW, device: "phone" },
      ]);
    });

    itDurably("keeps the newest 100 views of a budget while the count goes on", async (store, reopen) => {
      for (let index = 0; index < MAX_VIEWINGS + 3; index += 1) await count(store, aView(NOW + index * GAP_MS));
      await count(store, aView(NOW, "link", "11"));
      const reopened = await reopen();
      const kept = await reopened.listViewings("1", "10", 2, MAX_VIEWINGS - 1);
      assert.deepEqual(kept, {
        entries: [{ at: NOW + 3 * GAP_MS, device: "phone" }],
        total: MAX_VIEWINGS,
        nextCursor: null,
      });
      const last = NOW + (MAX_VIEWINGS + 2) * GAP_MS;
      assert.deepEqual(
        await reopened.sumViews("1", ["10", "11", "12"]),
        new Map([
          ["10", { views: MAX_VIEWINGS + 3, last }],
          ["11", { views: 1, last: NOW }],
        ]),
      );
    });

    it("one of concurrent views is the first", async (store) => {
      const outcomes = await allAtOnce(10, (index) => count(store, aView(), viewed(String(100 + index))));
      assert.deepEqual([countOf(outcomes, "first"), countOf(outcomes, "repeated")], [1, 9]);
      assert.equal((await eventsOf(store)).length, 1);
    });

    it("views belong to one budget of one business", async (store) => {
      await count(store, aView());
      assert.equal(await count(store, aView(NOW, "link", "11")), "first");
      assert.deepEqual(await store.listLinkViews("2", "10"), []);
      assert.deepEqual((await store.listViewings("2", "10", 10, 0)).entries, []);
      assert.deepEqual(await store.sumViews("2", ["10"]), new Map());
    });
  });

  describe("the blob of a logo", () => {
    it("finds the blob of a logo among those that are kept", async (store) => {
      const logo = { blobId: "77", contentType: "image/png", size: 3, sha256: "ab" } as const;
      await store.commit(insertBusinessCommit(aBusiness()));
      await store.commit(insertBusinessCommit(aBusiness({ id: "2", profile: { ...EMPTY_PROFILE, logo } })));
      assert.deepEqual(await store.findAttachmentIds(["76", "77", "78"]), ["77"]);
      assert.deepEqual((await store.findBusiness("2"))?.profile.logo, logo);
    });
  });
}

async function eventsOf(store: Store): Promise<string[]> {
  return (await store.listEvents("1", anEventQuery())).entries.map(({ id }) => id);
}
