import {
  type Budget,
  commitOf,
  countViewCommit,
  insertBudgetCommit,
  type LinkView,
  MINUTE_MS,
  queueMailCommit,
  recordPaymentCommit,
  reminderOptOutCommit,
  replaceBudgetCommit,
  type Store,
  sendMessageCommit,
  withReminderCheck,
} from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, FIXTURE_TIME as NOW } from "../../fixtures.js";
import { aMail } from "../../mail-fixtures.js";
import { aMessage } from "../../message-fixtures.js";
import { aPayment } from "../../payment-fixtures.js";
import { aWrite, bytesOf, stores } from "./sample.js";

/** The budget of the samples; a refusal for a past version needs one that is not at its first. */
const stored = (overrides: Partial<Budget> = {}) => aBudget({ version: 2, ...overrides });
const next = (overrides: Partial<Budget> = {}) => aBudget({ version: 3, ...overrides });
const withBudget = stores(insertBudgetCommit(stored()));

const readBudgets = async (store: Store) => [
  await store.findBudget("1", "10"),
  (await store.listBudgets("1", aBudgetQuery())).entries,
];
const shown = (budget: Budget) => [budget, [budget]];

export const budgetSamples = [
  aWrite({
    name: "a new budget",
    beside: ["events", "completes", "quota"],
    prepare: stores(insertBudgetCommit(aBudget({ id: "11", customerId: "600", status: "DELETED" }))),
    commit: (mark) => insertBudgetCommit(aBudget({ notes: mark })),
    read: readBudgets,
    after: (mark) => shown(aBudget({ notes: mark })),
    adds: (mark) => ({ budgets: 1, documentBytes: bytesOf(aBudget({ notes: mark })) }),
    again: "rejected",
    refusals: {
      "its id is taken": [insertBudgetCommit(aBudget({ id: "11" })), "rejected"],
      "the business has all budgets that it may have": [
        insertBudgetCommit(aBudget(), { quota: { budgets: 1, bytes: null } }),
        "quota-exceeded",
      ],
    },
    elsewhere: "written",
  }),
  aWrite({
    name: "a changed budget",
    beside: ["events", "completes", "quota"],
    prepare: withBudget,
    commit: (mark) => replaceBudgetCommit(next({ notes: mark, status: "APPROVED" }), 2),
    read: readBudgets,
    after: (mark) => shown(next({ notes: mark, status: "APPROVED" })),
    adds: (mark) => ({ documentBytes: bytesOf(next({ notes: mark, status: "APPROVED" })) - bytesOf(stored()) }),
    again: "stale",
    refusals: {
      "its version is past": [replaceBudgetCommit(stored({ notes: "late" }), 1), "stale"],
      "its version is yet to come": [replaceBudgetCommit(aBudget({ version: 4 }), 3), "stale"],
    },
    elsewhere: "stale",
    ids: ["1", "10"],
  }),
  aWrite({
    name: "a revised budget",
    beside: ["events", "completes", "quota"],
    prepare: withBudget,
    commit: (mark) => replaceBudgetCommit(next({ revision: 2, notes: mark }), 2),
    read: async (store) => [
      await readBudgets(store),
      await store.findRevision("1", "10", 1),
      (await store.listRevisions("1", "10", 9, 0)).total,
    ],
    after: (mark) => [shown(next({ revision: 2, notes: mark })), stored(), 2],
    adds: (mark) => ({ documentBytes: bytesOf(next({ revision: 2, notes: mark })) }),
    again: "stale",
    refusals: { "its version is past": [replaceBudgetCommit(stored({ revision: 2 }), 1), "stale"] },
    elsewhere: "stale",
    ids: ["1", "10"],
  }),
];

const other = aPayment({ id: "81", reference: "transfer 2" });
const paid = (overrides: Partial<Budget> = {}) => next({ paid: 5_000, ...overrides });

export const paymentSamples = [
  aWrite({
    name: "a payment",
    beside: ["events", "completes", "quota"],
    prepare: stores(insertBudgetCommit(aBudget()), recordPaymentCommit(other, stored({ paid: other.amount }), 1)),
    commit: (mark) => recordPaymentCommit(aPayment({ createdBy: mark }), paid({ notes: mark }), 2),
    read: async (store) => [
      await store.findPayment("1", "10", aPayment().reference),
      (await store.listPayments("1", "10", 9, 0)).entries.map(({ id }) => id),
      await store.countPayments("1", "10"),
      await store.findBudget("1", "10"),
    ],
    after: (mark) => [aPayment({ createdBy: mark }), ["81", "80"], 2, paid({ notes: mark })],
    adds: (mark) => ({ documentBytes: bytesOf(paid({ notes: mark })) - bytesOf(stored({ paid: other.amount })) }),
    again: { taken: "reference", value: aPayment().reference },
    refusals: {
      "its reference is taken": [
        recordPaymentCommit(aPayment({ reference: other.reference }), paid(), 2),
        { taken: "reference", value: other.reference },
      ],
      "its reference is taken and its version past": [
        recordPaymentCommit(other, stored(), 1),
        { taken: "reference", value: other.reference },
      ],
      "its version is past": [recordPaymentCommit(aPayment(), stored(), 1), "stale"],
      "its version is yet to come": [recordPaymentCommit(aPayment(), aBudget({ version: 9 }), 8), "stale"],
    },
    elsewhere: "stale",
    ids: ["1", "10"],
  }),
];

const readMails = async (store: Store) => [
  (await store.listMails("1", "10", 9, 0)).entries,
  await store.findBudget("1", "10"),
];

export const mailSamples = [
  aWrite({
    name: "a mail",
    beside: ["events", "audit", "completes", "quota"],
    prepare: withBudget,
    commit: (mark) => queueMailCommit(aMail({ message: mark }), stored(), 2),
    read: readMails,
    after: (mark) => [[aMail({ message: mark })], stored()],
    adds: (mark) => ({ documentBytes: bytesOf(aMail({ message: mark })) }),
    again: "rejected",
    refusals: { "the version of its budget is past": [queueMailCommit(aMail(), aBudget(), 1), "stale"] },
    elsewhere: "stale",
    ids: ["1", "10"],
  }),
  aWrite({
    name: "a mail with a changed budget",
    beside: ["events", "audit", "completes", "quota"],
    prepare: withBudget,
    commit: (mark) => queueMailCommit(aMail({ message: mark }), next({ publicTokenHash: mark }), 2),
    read: readMails,
    after: (mark) => [[aMail({ message: mark })], next({ publicTokenHash: mark })],
    adds: (mark) => ({
      documentBytes: bytesOf(aMail({ message: mark }), next({ publicTokenHash: mark })) - bytesOf(stored()),
    }),
    again: "stale",
    refusals: { "its version is past": [queueMailCommit(aMail(), stored(), 1), "stale"] },
    elsewhere: "stale",
    ids: ["1", "10"],
  }),
];

const earlier = aMessage({ id: "81", sentAt: NOW - 1 });

export const messageSamples = [
  aWrite({
    name: "a message",
    beside: ["events", "completes", "quota"],
    prepare: stores(insertBudgetCommit(stored()), sendMessageCommit(earlier, 2)),
    commit: (mark) => sendMessageCommit(aMessage({ message: mark }), 9),
    read: async (store) => [(await store.listMessages("1", "10", 9, 0)).entries, await store.findBudget("1", "10")],
    after: (mark) => [[aMessage({ message: mark }), earlier], stored()],
    adds: (mark) => ({ documentBytes: bytesOf(aMessage({ message: mark })) }),
    again: "rejected",
    refusals: { "its budget has as many as it may have": [sendMessageCommit(aMessage(), 1), "message-limit"] },
    elsewhere: "written",
  }),
];

const view: LinkView = { businessId: "1", budgetId: "10", channel: "link", device: "phone", at: NOW };
const later: LinkView = { ...view, channel: "mail", at: NOW + MINUTE_MS };
const readViews = (store: Store) => store.listLinkViews("1", "10");

export const viewSamples = [
  aWrite({
    name: "a first view",
    beside: ["events"],
    commit: () => countViewCommit(view, MINUTE_MS, true),
    read: readViews,
    after: () => [{ channel: "link", views: 1, first: NOW, last: NOW }],
    again: "stale",
    refusals: { "it is not the first": [countViewCommit(view, MINUTE_MS, false), "stale"] },
    elsewhere: "written",
  }),
  aWrite({
    name: "a later view",
    beside: ["events"],
    prepare: stores(countViewCommit(view, MINUTE_MS, true)),
    commit: () => countViewCommit(later, MINUTE_MS, false),
    read: readViews,
    after: () => [
      { channel: "link", views: 1, first: NOW, last: NOW },
      { channel: "mail", views: 1, first: later.at, last: later.at },
    ],
    again: "repeated",
    refusals: {
      "it is said to be the first": [countViewCommit(later, MINUTE_MS, true), "stale"],
      "it comes within the gap": [countViewCommit({ ...later, at: later.at - 1 }, MINUTE_MS, false), "repeated"],
    },
    elsewhere: "stale",
    ids: ["10"],
  }),
];

export const checkSamples = [
  aWrite({
    name: "a check for reminders",
    beside: ["events", "quota", "completes"],
    prepare: withBudget,
    commit: () => withReminderCheck(commitOf("1", []), "10", NOW),
    read: async (store) => {
      const claimed = await store.claimReminderChecks(NOW, NOW, 9);
      return claimed.filter(({ businessId }) => businessId === "1").map(({ claims: _counted, ...check }) => check);
    },
    after: () => [{ businessId: "1", budgetId: "10", dueAt: NOW, since: NOW, validUntil: null, days: [] }],
    again: "written",
    elsewhere: "written",
  }),
];

const readOptOut = (store: Store) => store.findReminderOptOut("1", "500");
const optOut = { customerId: "500", recipient: "ana", since: NOW };

export const optOutSamples = [
  aWrite({
    name: "an end of reminders",
    beside: ["audit"],
    commit: () => reminderOptOutCommit("1", optOut),
    read: readOptOut,
    after: () => NOW,
    again: "unchanged",
    refusals: { "reminders come": [reminderOptOutCommit("1", { ...optOut, since: null }), "unchanged"] },
    elsewhere: "written",
  }),
  aWrite({
    name: "a return of reminders",
    beside: ["audit"],
    prepare: stores(reminderOptOutCommit("1", optOut)),
    commit: () => reminderOptOutCommit("1", { ...optOut, since: null }),
    read: readOptOut,
    after: () => null,
    again: "unchanged",
    refusals: { "reminders have ended": [reminderOptOutCommit("1", { ...optOut, since: NOW + 1 }), "unchanged"] },
    elsewhere: "unchanged",
    ids: ["500"],
  }),
];
