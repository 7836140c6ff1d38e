import { createBudgetService } from "@budgetkit/core";
import { routes } from "@budgetkit/core/routes";
import { insertBudgetCommit, insertBusinessCommit, SCOPES } from "@budgetkit/core/store";
import { aBudget, aBusiness, memoryStore } from "@budgetkit/testing";
import { expect, it } from "vitest";

/** The operation that performs each action. Moves without an operation of their own are updates. */
const OPERATIONS: Readonly<Record<string, string>> = {
  update: "updateBudget",
  approve: "updateBudget",
  reject: "updateBudget",
  expire: "updateBudget",
  revise: "updateBudget",
  renew: "updateBudget",
  submit: "submitBudget",
  withdraw: "withdrawBudget",
  complete: "completeBudget",
  reopen: "reopenBudget",
  archive: "archiveBudget",
  share: "createPublicLink",
  duplicate: "duplicateBudget",
  delete: "deleteBudget",
  restore: "restoreBudget",
};

const STATUSES = ["DRAFT", "PENDING", "APPROVED", "REJECTED", "EXPIRED", "COMPLETED", "ARCHIVED"] as const;

function scopeOf(action: string): string | null {
  const route = routes.find(({ operationId }) => operationId === OPERATIONS[action]);
  return route?.auth.kind === "key" ? route.auth.scope : null;
}

it.each([...SCOPES])("offers a key with %s the actions whose operations need that scope", async (scope) => {
  const store = memoryStore();
  await store.commit(insertBusinessCommit(aBusiness()));
  for (const [index, status] of STATUSES.entries()) {
    await store.commit(insertBudgetCommit(aBudget({ id: String(10 + index), status })));
  }
  const deletion = { deletedAt: 1, from: "PENDING" } as const;
  await store.commit(insertBudgetCommit(aBudget({ id: "20", status: "DELETED", deletion })));
  const { budgets } = createBudgetService({ store, secret: "s".repeat(32) });
  const host = { kind: "system", businessId: "1" } as const;
  const key = { kind: "key", businessId: "1", id: "30", scopes: [scope] } as const;
  const all = (await budgets.list(host, { includeDeleted: true }))._unsafeUnwrap().data;
  const offered = (await budgets.list(key, { includeDeleted: true }))._unsafeUnwrap().data;
  expect(new Set(all.flatMap(({ availableActions }) => availableActions))).toEqual(new Set(Object.keys(OPERATIONS)));
  expect(offered.map(({ availableActions }) => availableActions)).toEqual(
    all.map(({ availableActions }) => availableActions.filter((action) => scopeOf(action) === scope)),
  );
});
