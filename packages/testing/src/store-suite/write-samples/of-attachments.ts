import {
  type Attachment,
  insertAttachmentCommit,
  insertBudgetCommit,
  removeAttachmentCommit,
  replaceAttachmentCommit,
  type Store,
} from "@budgetkit/core/store";
import { anAttachment } from "../../attachment-fixtures.js";
import { aBudget } from "../../fixtures.js";
import { aWrite, stores } from "./sample.js";

const budgets = [insertBudgetCommit(aBudget()), insertBudgetCommit(aBudget({ id: "11" }))];
const kept = anAttachment({ id: "9", size: 70 });
const [one, another] = [insertAttachmentCommit(anAttachment({ id: "81" }), 1, 9), insertAttachmentCommit(kept, 1, 9)];
const withOne = stores(...budgets, one, another);

const read = async (store: Store) => [
  await store.findAttachment("1", "10", "81"),
  await store.findAttachment("1", "10", "82"),
  await store.findAttachment("1", "10", "9"),
  (await store.listAttachments("1", "10", 9, 0)).entries.map(({ id }) => id),
  await store.findBudget("1", "10"),
];

const added = (fileName: string) => anAttachment({ id: "82", size: 1_000, fileName });
const changed = (overrides: Partial<Attachment>) => anAttachment({ id: "81", shared: true, ...overrides });
const removal = { businessId: "1", budgetId: "10", id: "81" };

export const attachmentSamples = [
  aWrite({
    name: "a new attachment",
    beside: ["events", "quota"],
    prepare: withOne,
    commit: (mark) => insertAttachmentCommit(added(mark), 1, 100),
    read,
    after: (mark) => [anAttachment({ id: "81" }), added(mark), kept, ["82", "81", "9"], aBudget()],
    adds: () => ({ attachmentBytes: 1_000 }),
    again: "rejected",
    refusals: {
      "its budget has all attachments that it may have": [insertAttachmentCommit(added(""), 1, 2), "attachment-limit"],
      "the version of its budget is past": [insertAttachmentCommit(added(""), 0, 9), "stale"],
      "the version of its budget is yet to come": [insertAttachmentCommit(added(""), 2, 9), "stale"],
      "its id is taken": [insertAttachmentCommit(anAttachment({ id: "81", size: 9 }), 1, 9), "rejected"],
    },
    elsewhere: "stale",
    ids: ["1", "10"],
  }),
  aWrite({
    name: "a changed attachment",
    beside: ["events"],
    prepare: withOne,
    commit: (mark) => replaceAttachmentCommit(changed({ fileName: mark }), 1),
    read,
    after: (mark) => [changed({ fileName: mark }), null, kept, ["81", "9"], aBudget()],
    again: "written",
    refusals: {
      "the version of its budget is past": [replaceAttachmentCommit(changed({}), 0), "stale"],
      "the version of its budget is yet to come": [replaceAttachmentCommit(changed({}), 2), "stale"],
      "another budget has it": [replaceAttachmentCommit(changed({ budgetId: "11" }), 1), "missing"],
    },
    elsewhere: "missing",
    ids: ["1", "10", "81"],
  }),
];

export const attachmentRemovalSamples = [
  aWrite({
    name: "a removed attachment",
    beside: ["events"],
    prepare: withOne,
    commit: () => removeAttachmentCommit(removal, 1),
    read,
    after: () => [null, null, kept, ["9"], aBudget()],
    adds: () => ({ attachmentBytes: -3 }),
    again: "missing",
    refusals: {
      "the version of its budget is past": [removeAttachmentCommit(removal, 0), "stale"],
      "the version of its budget is yet to come": [removeAttachmentCommit(removal, 2), "stale"],
      "another budget has it": [removeAttachmentCommit({ ...removal, budgetId: "11" }, 1), "missing"],
    },
    elsewhere: "missing",
    ids: ["1", "10", "81"],
  }),
];
