import { memoryStore } from "@budgetkit/testing";
import { expect, it } from "vitest";
import { createBudgetService } from "./create-service.js";

it.each([
  ["half a surrogate pair", "a\ud83d", "user:a\ufffdd83d"],
  ["NUL", "a\0b", "user:a\ufffd0b"],
  ["the mark itself", "a\ufffd", "user:a\ufffdfffd"],
  ["a whole surrogate pair", "\u{1f600}", "user:\u{1f600}"],
])("labels a user of the host whose id has %s without broken text", async (_, id, label) => {
  const service = createBudgetService({ store: memoryStore(), secret: "a secret for tests that is long enough" });
  const businessId = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap().id;
  const user = { kind: "user", businessId, id, role: "OWNER", sessionId: null } as const;
  (await service.customers.create(user, { name: "Ana" }))._unsafeUnwrap();
  const { events } = (await service.events.read(user))._unsafeUnwrap();
  expect(events.map(({ actor }) => actor)).toContain(label);
});
