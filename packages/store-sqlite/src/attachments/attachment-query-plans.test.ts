import {
  countViewCommit,
  insertAttachmentCommit,
  insertBudgetCommit,
  removeAttachmentCommit,
  replaceAttachmentCommit,
  type Store,
} from "@budgetkit/core/store";
import { aBudget, anAttachment, FIXTURE_TIME } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";

describe("how SQLite answers about attachments", () => {
  let explained: ExplainedStore;
  let store: Store;

  beforeAll(async () => {
    explained = await explainedStore();
    store = explained.store;
    await store.commit(insertBudgetCommit(aBudget()));
  });

  afterAll(() => explained.close());

  const window = { lengthMs: 1_000, limit: 100 };
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    "a list": () => store.listAttachments("1", "10", 10, 0),
    "a look-up": () => store.findAttachment("1", "10", "80"),
    "an insertion": () => store.commit(insertAttachmentCommit(anAttachment(), 1, 100)),
    "a replacement": () => store.commit(replaceAttachmentCommit(anAttachment(), 1)),
    "a removal": () => store.commit(removeAttachmentCommit({ businessId: "1", budgetId: "10", id: "80" }, 1)),
    "a view": () =>
      store.commit(
        countViewCommit(
          { businessId: "1", budgetId: "10", channel: "link", device: "phone", at: FIXTURE_TIME },
          1,
          true,
        ),
      ),
    "the views of a budget": () => store.listLinkViews("1", "10"),
    "the ids of blobs": () => store.findAttachmentIds(["80", "81"]),
    "a hold": () => store.holdUpload("upload:1:20", { id: "a", needed: 1, wanted: 1 }, window, FIXTURE_TIME),
    "a settled upload": () => store.settleUpload("upload:1:20", "a", 1, window, FIXTURE_TIME),
    "pruned uploads": () => store.pruneUploads(FIXTURE_TIME, 10),
  };

  it.each(Object.keys(calls))("SQLite reads attachments along an index for %s, and sorts nothing", async (name) => {
    const plans = await explained.plansOf(calls[name] ?? (() => Promise.reject(new Error(name))));
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      expect(plan).not.toMatch(/SCAN budgetkit/);
      expect(plan).not.toContain("TEMP B-TREE");
    }
  });
});
