import { type BudgetService, createBudgetService, scryptHasher, type WebhookSender } from "@budgetkit/core";
import type { ApiRequest } from "@budgetkit/core/http";
import { type HostRequest, type HostResponse, manualClock, memoryStore, seededRandom } from "@budgetkit/core/testing";
import { describe, expect, it } from "vitest";
import { checkConformance } from "../packages/core/src/testing/http-suite/conformance.js";
import { type Caller, fuzzRequest, type Known, remember } from "./http-fuzz-requests.js";

const REQUESTS = 20_000;
const REQUESTS_A_TICK = 100;
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_302);

describe("the interface under random requests", () => {
  it(`answers ${REQUESTS} of them by the book`, { timeout: 120_000 }, async () => {
    const clock = manualClock();
    const errors: unknown[] = [];
    const service = createBudgetService({
      store: memoryStore(),
      clock,
      random: seededRandom(SEED),
      secret: "a secret for tests that is long enough",
      publicBaseUrl: "https://quotes.example/v1",
      passwordHasher: scryptHasher(seededRandom(SEED), { cost: 2 }),
      webhooks: { sender: receiverWithMoods() },
      onError: (error) => errors.push(error),
    });
    const callers = await makeCallers(service);
    const known: Known = { ids: ["1", "2", "3"], tokens: ["A".repeat(43)] };
    const random = seededRandom(SEED + 1);
    const seen = new Map<number, number>();
    for (let count = 0; count < REQUESTS; count += 1) {
      const { request, caller } = fuzzRequest(random, callers, known);
      const response = await answerTo(service, request);
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
      try {
        expect(response.status, "an unexpected failure").not.toBe(500);
        checkConformance(request, response);
        for (const { marker } of callers) {
          // A public link shows its budget to everybody.
          if (caller.marker !== "" && !request.path.includes("/p/") && marker !== caller.marker)
            expect(response.text).not.toContain(`<${marker}>`);
        }
      } catch (error) {
        throw new Error(`seed ${SEED}, request ${count}: ${JSON.stringify({ request, response })}`, {
          cause: errors[0] ?? error,
        });
      }
      remember(known, response.text);
      if (count % REQUESTS_A_TICK === 0) await service.webhooks.tick();
      clock.advance(200);
    }
    expect(errors).toEqual([]);
    // The sequence is worth something only when it gets past the first checks often enough.
    for (const status of [200, 201, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429]) {
      expect(seen.get(status) ?? 0, `answers of ${status}: ${JSON.stringify([...seen])}`).toBeGreaterThan(0);
    }
  });
});

/** Takes one call, refuses the next, is silent at the third, and so on; no call leaves the process. */
function receiverWithMoods(): WebhookSender {
  let calls = 0;
  return {
    send: async () => {
      calls += 1;
      if (calls % 3 === 0) return { kind: "failed", error: "silence", durationMs: 30_000 };
      const responseCode = calls % 3 === 1 ? 204 : 503;
      return { kind: "answered", responseCode, responseBody: "", retryAfterSeconds: null, durationMs: 1 };
    },
  };
}

/** Two businesses, each with a key and a user; what each writes carries its marker. */
async function makeCallers(service: BudgetService): Promise<Caller[]> {
  const callers: Caller[] = [{ credential: "", marker: "" }];
  for (const name of ["north", "south"]) {
    const { id } = (await service.businesses.create({ name }))._unsafeUnwrap();
    (await service.businesses.setTier(id, "ENTERPRISE"))._unsafeUnwrap();
    const scopes = [
      "READ_BUDGETS",
      "WRITE_BUDGETS",
      "WEBHOOKS",
      "READ_CUSTOMERS",
      "WRITE_CUSTOMERS",
      "READ_PRODUCTS",
      "WRITE_PRODUCTS",
    ] as const;
    const system = { kind: "system", businessId: id } as const;
    const rates = { rateLimitPerHour: 1_000_000 };
    const full = (await service.keys.create(system, { name, scopes: [...scopes], ...rates }))._unsafeUnwrap();
    const reader = (await service.keys.create(system, { name, scopes: [scopes[0]], ...rates }))._unsafeUnwrap();
    const slow = (
      await service.keys.create(system, { name, scopes: [...scopes], rateLimitPerHour: 5 })
    )._unsafeUnwrap();
    const user = { email: `${name}@example.com`, password: "correct horse battery" };
    await service.users.create({ ...user, businessId: id, displayName: name, role: "OWNER" });
    const session = (await service.sessions.login(user))._unsafeUnwrap();
    for (const credential of [full.key, full.key, full.key, reader.key, slow.key, session.access_token]) {
      callers.push({ credential, marker: name });
    }
  }
  return callers;
}

async function answerTo(service: BudgetService, request: HostRequest): Promise<HostResponse> {
  const bytes = typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body;
  const asked: ApiRequest = {
    method: request.method,
    target: request.path,
    header: (name) => {
      const value = request.headers[name];
      return value === undefined ? null : String(value);
    },
    readBody: async (limitBytes) =>
      bytes === null ? new Uint8Array() : bytes.byteLength > limitBytes ? "too-large" : bytes,
    peerAddress: "127.0.0.1",
    original: null,
  };
  const { status, headers, body } = await service.handle(asked);
  return { status, headers, text: body ?? "" };
}
