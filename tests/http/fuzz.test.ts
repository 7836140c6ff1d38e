import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { type BudgetService, createBudgetService, SCOPES, scryptHasher, type WebhookSender } from "@budgetkit/core";
import { manualClock, memoryBlobStore, memoryStore, plainPdfs, rounds, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { writeDescription } from "../../packages/core/src/http/openapi/document.js";
import { routes } from "../../packages/core/src/http/route-table.js";
import { checkConformance } from "../../packages/testing/src/http-suite/conformance.js";
import { askDirectly } from "../hosts/direct-host.js";
import { readDocumentation } from "../operations/documented-answers.js";
import { type Caller, fuzzRequest, type Known, remember } from "./fuzz-requests.js";

const REQUESTS = rounds({ small: 1_000, full: 20_000 });
/** More follow while a status or an operation is missing, up to so many. Every second of them asks for what is missing. */
const MOST_REQUESTS = 20_000;
const REQUESTS_A_TICK = 100;
/** By then a session may have been ended, and a key revoked or narrowed. */
const REQUESTS_A_CREDENTIAL = 100;
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_302);

describe("the interface under random requests", () => {
  it(`answers ${REQUESTS} random requests or more as the API describes`, { timeout: 900_000 }, async () => {
    const clock = manualClock();
    const errors: unknown[] = [];
    const service = createBudgetService({
      store: memoryStore(),
      blobs: memoryBlobStore(),
      pdf: plainPdfs,
      clock,
      random: seededRandom(SEED),
      secret: "a secret for tests that is long enough",
      publicBaseUrl: "https://quotes.example/v1",
      passwordHasher: scryptHasher(seededRandom(SEED), { cost: 2 }),
      webhooks: { sender: receiverWithMoods() },
      onError: (error) => errors.push(error),
    });
    const { checkAnswer } = readDocumentation(writeDescription("https://quotes.example/v1").text);
    const businesses = [await makeBusiness(service, "north"), await makeBusiness(service, "south")];
    let callers: readonly Caller[] = [];
    const known: Known = new Map([["budgets", ["1", "2", "3"]]]);
    const random = seededRandom(SEED + 1);
    const seen = new Map<number, number>();
    const reached = new Set<string>();
    const unreached = () => routes.filter(({ operationId }) => !reached.has(operationId));
    const missed = () => (unreached().length > 0 ? unreached() : routes);
    const missing = () => [
      ...STATUSES.filter((status) => !seen.has(status)),
      ...unreached().map(({ operationId }) => operationId),
    ];
    for (let count = 0; count < REQUESTS || (count < MOST_REQUESTS && missing().length > 0); count += 1) {
      if (count % REQUESTS_A_CREDENTIAL === 0) callers = await makeCallers(service, businesses, count);
      const isAimed = count >= REQUESTS && count % 2 === 0;
      const { request, caller, route } = fuzzRequest(random, callers, known, isAimed ? missed() : routes);
      const response = await askDirectly(service, request);
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
      if (!REFUSED_BEFORE.includes(response.status)) reached.add(route.operationId);
      try {
        expect(response.status, "an unexpected failure").not.toBe(500);
        checkConformance(request, response);
        checkAnswer(request, response);
        // A public link shows its budget to everybody.
        if (caller.marker !== "" && !request.path.includes("/p/")) {
          const others = businesses.filter(({ name }) => name !== caller.marker);
          for (const { name } of others) assert.ok(!response.text.includes(`<${name}>`), `shows what ${name} wrote`);
        }
      } catch (error) {
        throw new Error(`seed ${SEED}, request ${count}: ${JSON.stringify({ request, response })}`, {
          cause: errors[0] ?? error,
        });
      }
      if (response.status < 300) remember(known, request.path, response.text);
      if (count % REQUESTS_A_TICK === 0) {
        await service.webhooks.tick();
        await setImmediate(); // lets the test runner reach this worker: it gives up after a minute
      }
      clock.advance(200);
    }
    expect(errors).toEqual([]);
    // The sequence is worth something only when it gets past the first checks often enough.
    expect(missing(), `answers by status: ${JSON.stringify([...seen])}`).toEqual([]);
  });
});

/** Statuses that requests must get. */
const STATUSES = [200, 201, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429];

/** Statuses of requests that an operation never saw. */
const REFUSED_BEFORE = [400, 401, 403, 405, 413, 415, 429];

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

interface FuzzedBusiness {
  readonly id: string;
  readonly name: string;
  readonly testers: string[]; // the key that takes callbacks at present
}

async function makeBusiness(service: BudgetService, name: string): Promise<FuzzedBusiness> {
  const { id } = (await service.businesses.create({ name }))._unsafeUnwrap();
  (await service.businesses.setTier(id, "ENTERPRISE"))._unsafeUnwrap();
  await service.users.create({ ...userOf(name), businessId: id, displayName: name, role: "OWNER" });
  return { id, name, testers: [] };
}

function userOf(name: string) {
  return { email: `${name}@example.com`, password: "correct horse battery" };
}

/** For each business keys and users, new each time; what each writes carries the business's marker. */
async function makeCallers(
  service: BudgetService,
  businesses: readonly FuzzedBusiness[],
  round: number,
): Promise<Caller[]> {
  const callers: Caller[] = [{ credential: "", marker: "" }];
  for (const { id, name, testers } of businesses) {
    const system = { kind: "system", businessId: id } as const;
    const rates = { rateLimitPerHour: 1_000_000 };
    const full = (await service.keys.create(system, { name, scopes: [...SCOPES], ...rates }))._unsafeUnwrap();
    const reader = (await service.keys.create(system, { name, scopes: ["READ_BUDGETS"], ...rates }))._unsafeUnwrap();
    const slow = (
      await service.keys.create(system, { name, scopes: [...SCOPES], rateLimitPerHour: 5 })
    )._unsafeUnwrap();
    const tester = { name, scopes: ["WEBHOOKS" as const], webhookUrl: "https://example.com/hooks" };
    const { id: testerId, key } = (await service.keys.create(system, tester))._unsafeUnwrap();
    for (const former of testers.splice(0)) await service.keys.revoke(system, former); // only so many may take callbacks
    testers.push(testerId);
    const credentials = [full.key, full.key, full.key, full.key, reader.key, slow.key, key];
    for (const role of ["OWNER", "OWNER", "MEMBER"] as const) {
      const user = userOf(`${name}-${credentials.length}-${round}`);
      await service.users.create({ ...user, businessId: id, displayName: name, role });
      credentials.push((await service.sessions.login(user))._unsafeUnwrap().access_token);
    }
    for (const credential of credentials) callers.push({ credential, marker: name });
  }
  return callers;
}
