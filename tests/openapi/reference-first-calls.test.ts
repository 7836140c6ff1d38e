import { createBudgetService, SCOPES, scryptHasher } from "@budgetkit/core";
import { memoryBlobStore, memoryStore, seededRandom } from "@budgetkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { writeDescription } from "../../packages/core/src/http/openapi/document.js";
import { hosts } from "../hosts/http-hosts.js";
import { readDocumentation } from "../operations/documented-answers.js";
import { sendShown } from "../operations/documented-exchange.js";
import { OWNER } from "../operations/documented-world.js";
import { shownRequests } from "./shown-requests.js";

const { operations } = readDocumentation(writeDescription("https://quotes.example/v1").text);

/** Operations of the first try: all but those whose path names a record, and those that need another login. */
const cases = operations
  .filter(
    ({ operationId, path }) => !path.includes("{") && !path.startsWith("/auth/") && !/Alias\d*$/.test(operationId),
  )
  .flatMap((operation) => shownRequests(operation).slice(0, 1));

const MISSING = ["getLogo"]; // it comes before the one that sets the logo

/** A service with nothing but a business, its owner and a key of every scope. */
async function freshService() {
  const random = seededRandom(5);
  const service = createBudgetService({
    store: memoryStore(),
    blobs: memoryBlobStore(),
    secret: "a secret for tests that is long enough",
    passwordHasher: scryptHasher(random, { cost: 2 }),
    random,
    mailer: { send: async () => {}, sendMessage: async () => {} },
    pdf: { render: async () => new TextEncoder().encode("%PDF-1.7 …") },
    webhooks: {
      sender: {
        send: async () => ({
          kind: "answered",
          responseCode: 204,
          responseBody: "",
          retryAfterSeconds: null,
          durationMs: 8,
        }),
      },
    },
  });
  const { send, close } = await hosts.fetch(service);
  onTestFinished(async () => {
    await close();
    await service.stop();
  });
  const businessId = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap().id;
  (await service.users.create({ ...OWNER, businessId, displayName: "Olga", role: "OWNER" }))._unsafeUnwrap();
  const login = (await service.sessions.login(OWNER))._unsafeUnwrap().access_token;
  const key = { name: "first key", scopes: [...SCOPES], webhookUrl: "https://shop.example/hooks" };
  const apiKey = (await service.keys.create({ kind: "system", businessId }, key))._unsafeUnwrap().key;
  return { send, login, apiKey };
}

it("Each example of the reference page is answered with success on a fresh server, from top to bottom", async () => {
  const { send, login, apiKey } = await freshService();
  expect(cases.length).toBeGreaterThan(25);
  for (const [index, { operationId, expected, ...shown }] of cases.entries()) {
    const { "Idempotency-Key": idempotencyKey, ...headers } = shown.headers;
    const fresh = idempotencyKey === undefined ? headers : { ...headers, "Idempotency-Key": `try-${index}` };
    const answer = await sendShown({ send, login, apiKey }, { ...shown, headers: fresh });
    expect(answer.status, `${operationId}: ${answer.text}`).toBe(MISSING.includes(operationId) ? 404 : expected);
    if (operationId === "createApiKey") {
      const key = JSON.parse(answer.text).key;
      const [list] = cases.filter((each) => each.operationId === "listProducts");
      if (list !== undefined) expect((await sendShown({ send, login, apiKey: key }, list)).status).toBe(200);
    }
  }
});
