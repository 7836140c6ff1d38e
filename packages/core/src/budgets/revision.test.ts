import { describe, expect, it } from "vitest";
import { budgetWorld } from "../testing/budget-world.js";
import type { BudgetView } from "./budget-view.js";

const items = [
  { description: "Chair", quantity: 2, unitPrice: 50 },
  { description: "Table", quantity: 1, unitPrice: 300 },
];

async function worldWith(input: { draft?: boolean; validUntil?: string } = {}) {
  const world = budgetWorld();
  const { budgets, actor } = world;
  const made = (await budgets.create(actor, { customerId: "c", items, notes: "First", ...input }))._unsafeUnwrap();
  const { id } = made;
  return {
    ...world,
    made,
    id,
    update: async (change: Parameters<typeof budgets.update>[2]): Promise<BudgetView> =>
      (await budgets.update(actor, id, change))._unsafeUnwrap(),
    /** The list entries of the revisions, the oldest first. */
    history: async () =>
      (await budgets.listRevisions(actor, id))
        ._unsafeUnwrap()
        .data.map(({ revision, version, status, changes }) => ({ revision, version, status, changes }))
        .reverse(),
  };
}

describe("a new revision", () => {
  it("each change of a budget's content begins a new revision", async () => {
    const { update, made } = await worldWith();
    expect(made.revision).toBe(1);
    expect((await update({ notes: "Second" })).revision).toBe(2);
    expect((await update({ taxRate: 0.21 })).revision).toBe(3);
    expect((await update({ discountAmount: 10 })).revision).toBe(4);
    expect((await update({ validUntil: "2026-06-01" })).revision).toBe(5);
    expect((await update({ items: [{ description: "Bench", quantity: 1, unitPrice: 80 }] })).revision).toBe(6);
    expect((await update({ notes: null, taxRate: 0, metadata: { a: 1 } })).revision).toBe(7);
  });

  it("metadata, an unchanged value, a link or a move forward begins no revision", async () => {
    const { update, budgets, actor, id } = await worldWith();
    expect((await update({ metadata: { a: 1 } })).revision).toBe(1);
    expect((await update({ notes: "First", discountAmount: 0 })).revision).toBe(1);
    await budgets.createPublicLink(actor, id);
    expect((await update({ status: "APPROVED" })).revision).toBe(1);
    expect((await budgets.complete(actor, id))._unsafeUnwrap().revision).toBe(1);
    expect((await budgets.archive(actor, id))._unsafeUnwrap().revision).toBe(1);
  });

  it("reopening an approved budget begins a revision", async () => {
    const { update, budgets, actor, id, history } = await worldWith();
    await update({ status: "APPROVED" });
    const reopened = await budgets.reopen(actor, id, { reason: "Too cheap", validUntil: "2026-06-01" });
    expect(reopened._unsafeUnwrap().revision).toBe(2);
    expect(await history()).toEqual([
      { revision: 1, version: 2, status: "APPROVED", changes: [] },
      { revision: 2, version: 3, status: "PENDING", changes: ["validUntil", "status"] },
    ]);
  });

  it("reopening begins a revision after an approval that came with a change", async () => {
    const { update, budgets, actor, id, history } = await worldWith();
    expect((await update({ status: "APPROVED", notes: "As agreed" })).revision).toBe(2);
    expect((await budgets.reopen(actor, id, { reason: "Too cheap" }))._unsafeUnwrap().revision).toBe(3);
    expect((await history()).map(({ changes }) => changes)).toEqual([[], ["notes"], ["status"]]);
  });

  it("resubmitting a rejected budget begins one revision, for content and move together", async () => {
    const { update, history } = await worldWith();
    await update({ status: "REJECTED" });
    expect((await update({ status: "PENDING" })).revision).toBe(2);
    await update({ status: "REJECTED" });
    expect((await update({ status: "PENDING", notes: "Cheaper", discountAmount: 5 })).revision).toBe(3);
    expect((await history()).map(({ changes }) => changes)).toEqual([
      [],
      ["status"],
      ["items", "discount", "notes", "status"],
    ]);
  });

  it("renewing an expired budget begins a revision", async () => {
    const { update, clock } = await worldWith({ validUntil: "2026-03-03T00:00:00Z" });
    clock.advance(86_400_000);
    const renewed = await update({ status: "PENDING", validUntil: "2026-06-01" });
    expect(renewed).toMatchObject({ revision: 2, status: "PENDING" });
  });

  it("submitting a draft begins a revision only if it was submitted before", async () => {
    const { budgets, actor, id } = await worldWith({ draft: true });
    expect((await budgets.submit(actor, id))._unsafeUnwrap().revision).toBe(1);
    expect((await budgets.withdraw(actor, id))._unsafeUnwrap().revision).toBe(1);
    expect((await budgets.submit(actor, id))._unsafeUnwrap().revision).toBe(2);
  });

  it("changing and resubmitting a withdrawn budget begins one revision", async () => {
    const { budgets, actor, id, update } = await worldWith();
    await budgets.withdraw(actor, id);
    expect((await update({ notes: "Changed" })).revision).toBe(2);
    expect((await update({ status: "PENDING" })).revision).toBe(2);
    await budgets.withdraw(actor, id);
    expect((await budgets.submit(actor, id))._unsafeUnwrap().revision).toBe(3);
  });

  it("restoring a deleted budget begins no revision", async () => {
    const { budgets, actor, id, update } = await worldWith();
    await update({ notes: "Second" });
    await budgets.delete(actor, id);
    expect((await budgets.restore(actor, id))._unsafeUnwrap()).toMatchObject({ revision: 2, status: "PENDING" });
  });

  it("a duplicate starts at revision 1", async () => {
    const { budgets, actor, id, update } = await worldWith();
    await update({ notes: "Second" });
    const copy = (await budgets.duplicate(actor, id))._unsafeUnwrap();
    expect(copy.revision).toBe(1);
    expect((await budgets.listRevisions(actor, copy.id))._unsafeUnwrap().data).toMatchObject([{ changes: [] }]);
    expect((await budgets.submit(actor, copy.id))._unsafeUnwrap().revision).toBe(1);
  });

  it("concurrent changes begin one revision each, and none is lost", async () => {
    const { budgets, actor, id } = await worldWith();
    const notes = Array.from({ length: 5 }, (_, index) => `note ${index}`);
    const changed = await Promise.all(notes.map((text) => budgets.update(actor, id, { notes: text })));
    expect(changed.map((each) => each._unsafeUnwrap().revision).sort()).toEqual([2, 3, 4, 5, 6]);
    const kept = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => budgets.getRevision(actor, id, number)));
    expect(kept.map((each) => each._unsafeUnwrap().notes).sort()).toEqual(["First", ...notes]);
  });
});

describe("reading revisions", () => {
  it("reading a revision returns the whole budget of that time, with actor and time", async () => {
    const { budgets, actor, id, made, update, clock } = await worldWith();
    clock.advance(1_000);
    await update({ notes: "Second", items: [{ description: "Bench", quantity: 1, unitPrice: 80 }] });
    const { availableActions: _, ...content } = made;
    expect((await budgets.getRevision(actor, id, 1))._unsafeUnwrap()).toEqual({
      ...content,
      revisedAt: "2026-03-02T12:00:00.000Z",
      revisedBy: "key:12",
      changes: [],
    });
    expect((await budgets.getRevision(actor, id, 2))._unsafeUnwrap()).toMatchObject({
      total: 80,
      revisedAt: "2026-03-02T12:00:01.000Z",
      revisedBy: "key:12",
      changes: ["items", "notes"],
    });
  });

  it("shows the present revision as EXPIRED past validUntil", async () => {
    const { budgets, actor, id, clock, update } = await worldWith({ validUntil: "2026-03-03T00:00:00Z" });
    await update({ notes: "Second" });
    clock.advance(86_400_000);
    const listed = (await budgets.listRevisions(actor, id))._unsafeUnwrap();
    expect(listed.data.map(({ status }) => status)).toEqual(["EXPIRED", "PENDING"]);
  });

  it("finds no revision of an unknown, deleted or foreign budget (NOT_FOUND)", async () => {
    const { budgets, actor, id } = await worldWith();
    const stranger = { ...actor, businessId: "2" };
    await budgets.getRevision(actor, id, 1).then((found) => found._unsafeUnwrap());
    const expectNone = async (by: typeof actor, budgetId: string) => {
      const problem = { kind: "not-found", resource: "budget", id: budgetId };
      expect((await budgets.listRevisions(by, budgetId))._unsafeUnwrapErr()).toMatchObject(problem);
      expect((await budgets.getRevision(by, budgetId, 1))._unsafeUnwrapErr()).toMatchObject(problem);
      expect((await budgets.compareRevisions(by, budgetId, 1))._unsafeUnwrapErr()).toMatchObject(problem);
    };
    await expectNone(stranger, id);
    await expectNone(actor, "999");
    await budgets.delete(actor, id);
    await expectNone(actor, id);
  });

  it.each([0, 2, -1, 1.5, Number.NaN])("finds no revision %s (NOT_FOUND)", async (revision) => {
    const { budgets, actor, id } = await worldWith();
    const problem = { kind: "not-found", resource: "revision", id: String(revision) };
    expect((await budgets.getRevision(actor, id, revision))._unsafeUnwrapErr()).toMatchObject(problem);
    expect((await budgets.compareRevisions(actor, id, revision))._unsafeUnwrapErr()).toMatchObject(problem);
  });

  it("compares a revision with the one before, or with any other", async () => {
    const { budgets, actor, id, update } = await worldWith();
    await update({ notes: "Second" });
    await update({ notes: "Third" });
    const notes = (before: string, after: string) => [{ kind: "field", field: "notes", before, after }];
    const compare = async (revision: number, from?: number) =>
      (await budgets.compareRevisions(actor, id, revision, from === undefined ? {} : { from }))._unsafeUnwrap();
    expect(await compare(3)).toEqual({ from: 2, to: 3, changes: notes("Second", "Third") });
    expect(await compare(3, 1)).toEqual({ from: 1, to: 3, changes: notes("First", "Third") });
    expect(await compare(1, 2)).toEqual({ from: 2, to: 1, changes: notes("Second", "First") });
    expect((await budgets.compareRevisions(actor, id, 1))._unsafeUnwrapErr()).toMatchObject({ id: "0" });
  });
});
