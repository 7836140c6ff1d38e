import { manualClock, memoryStore } from "@budgetkit/testing";
import { expect, it } from "vitest";
import type { MailMessage } from "./access/mailer.js";
import { createBudgetService } from "./create-service.js";
import { HOUR_MS } from "./kernel/clock.js";

const SELLER = "sales@norte.example";
const URL_OF_ENDPOINT = "https://hooks.example.com/budgets";

const UNAVAILABLE = {
  kind: "answered",
  responseCode: 503,
  responseBody: "",
  retryAfterSeconds: null,
  durationMs: 1,
} as const;

it("mails the business once when its endpoint is disabled after days of failures", async () => {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const mails: MailMessage[] = [];
  const service = createBudgetService({
    store: memoryStore(),
    clock,
    secret: "a secret for tests that is long enough",
    publicBaseUrl: "https://quotes.example/v1",
    webhooks: { sender: { send: async () => UNAVAILABLE } },
    mailer: { send: async () => {}, sendMessage: async (mail) => void mails.push(mail) },
  });
  const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId } as const;
  (await service.businesses.update(actor, { email: SELLER }))._unsafeUnwrap();
  const given = { url: URL_OF_ENDPOINT, events: ["customer.created" as const] };
  const { id } = (await service.webhooks.create(actor, given))._unsafeUnwrap();
  for (let hour = 0; hour < 7 * 24; hour += 1) {
    if (hour % 24 === 0) (await service.customers.create(actor, { name: `Ana ${hour}` }))._unsafeUnwrap();
    await service.webhooks.tick();
    await service.tick();
    clock.advance(HOUR_MS);
  }
  expect((await service.webhooks.get(actor, id))._unsafeUnwrap().status).toBe("DISABLED");
  expect(mails.map(({ kind, to }) => `${kind} ${to}`)).toEqual([`seller.endpointDisabled ${SELLER}`]);
  expect(mails[0]?.text).toContain(URL_OF_ENDPOINT);
});
