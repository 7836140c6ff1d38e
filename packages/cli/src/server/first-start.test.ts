import { createBudgetService, scryptHasher, systemRandom } from "@budgetkit/core";
import { memoryStore } from "@budgetkit/testing";
import { expect, it, vi } from "vitest";
import { readSettings } from "../settings/settings.js";
import { makeFirstOwner } from "./first-start.js";

const passwordHasher = scryptHasher(systemRandom, { cost: 16 });
const secret = "a secret of at least thirty-two characters";

it("gives the business of a first start that was killed its owner, and makes no second one", async () => {
  const store = memoryStore();
  const settings = readSettings({ DATABASE_URL: "memory:", BUDGETKIT_ADMIN_PASSWORD: "correct horse" });
  const killed = createBudgetService({ store, secret, passwordHasher });
  const { commit } = store;
  const spied = vi.spyOn(store, "commit").mockImplementation(async (written) => {
    if (written.writes.some(({ kind }) => kind === "user")) throw new Error("killed");
    return commit(written);
  });
  await expect(makeFirstOwner(killed, store, settings)).rejects.toThrow("killed");
  spied.mockRestore();

  const service = createBudgetService({ store, secret, passwordHasher });
  const owner = await makeFirstOwner(service, store, settings);
  const businesses = (await service.businesses.list({ after: null }))._unsafeUnwrap();
  expect(businesses.map(({ id }) => id)).toEqual([owner?.businessId]);
  expect(await service.users.exist()).toBe(true);
});
