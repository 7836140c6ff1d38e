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
  vi.spyOn(store, "insertUser").mockRejectedValueOnce(new Error("killed"));
  await expect(makeFirstOwner(killed, store, settings)).rejects.toThrow("killed");

  const service = createBudgetService({ store, secret, passwordHasher });
  const owner = await makeFirstOwner(service, store, settings);
  const businesses = (await service.businesses.list({ after: null }))._unsafeUnwrap();
  expect(businesses.map(({ id }) => id)).toEqual([owner?.businessId]);
  expect(await service.users.exist()).toBe(true);
});
