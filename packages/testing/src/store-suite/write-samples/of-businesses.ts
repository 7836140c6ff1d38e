import { insertBusinessCommit, replaceBusinessCommit, type Store, setTierCommit } from "@budgetkit/core/store";
import { aBusiness } from "../../fixtures.js";
import { aWrite, stores } from "./sample.js";

const withBusiness = stores(insertBusinessCommit(aBusiness({ version: 2 })));
const read = async (store: Store) => [
  await store.findBusiness("1"),
  (await store.listBusinesses(null, 9)).filter(({ id }) => id === "1"),
];
const shown = (overrides: Parameters<typeof aBusiness>[0]) => [aBusiness(overrides), [aBusiness(overrides)]];

export const businessSamples = [
  aWrite({
    name: "a new business",
    beside: ["audit"],
    commit: (mark) => insertBusinessCommit(aBusiness({ name: mark })),
    read,
    after: (mark) => shown({ name: mark }),
    again: "rejected",
    elsewhere: "written",
  }),
  aWrite({
    name: "a changed business",
    beside: ["audit"],
    prepare: withBusiness,
    commit: (mark) => replaceBusinessCommit(aBusiness({ name: mark, version: 3, tier: "PREMIUM" }), 2),
    read,
    after: (mark) => shown({ name: mark, version: 3 }), // the tier stays
    again: "stale",
    refusals: {
      "its version is past": [replaceBusinessCommit(aBusiness({ name: "late", version: 2 }), 1), "stale"],
      "its version is yet to come": [replaceBusinessCommit(aBusiness({ version: 4 }), 3), "stale"],
    },
    elsewhere: "stale",
    ids: ["1"],
  }),
];

export const tierSamples = [
  aWrite({
    name: "another tier",
    beside: ["audit"],
    prepare: withBusiness,
    commit: () => setTierCommit("1", "PREMIUM"),
    read,
    after: () => shown({ version: 2, tier: "PREMIUM" }),
    again: "written",
    elsewhere: "missing",
    ids: ["1"],
  }),
];
