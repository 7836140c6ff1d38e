import assert from "node:assert/strict";
import { HOUR_MS, MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import type { Client, Reply } from "./client.js";
import { assertStatus, BUDGETS } from "./samples.js";
import { START } from "./world.js";

const STARTED = Date.parse(START);

export function limitCases({ it }: HttpCases): void {
  it("every response to a key has the rate limit headers of the hour", async ({ full, clock }) => {
    const first = await full.get(BUDGETS);
    assert.equal(first.headers["x-ratelimit-limit"], "1000");
    assert.equal(first.headers["x-ratelimit-remaining"], "999");
    assert.equal(first.headers["x-ratelimit-reset"], String((STARTED + HOUR_MS) / 1_000));
    assert.equal(first.headers["x-ratelimit-window"], "3600");
    assert.equal(first.headers["ratelimit-policy"], '"hour";q=1000;w=3600, "burst";q=100;w=60');
    assert.equal(first.headers.ratelimit, '"hour";r=999;t=3600');
    clock.advance(MINUTE_MS);
    const second = await full.get(BUDGETS);
    assert.equal(second.headers["x-ratelimit-remaining"], "998");
    assert.equal(second.headers.ratelimit, '"hour";r=998;t=3540');
  });

  it("caps a key's rate limit at that of a lowered tier from the next request", async (world) => {
    const { owner, service, business, withKey } = world;
    const { businessId } = business;
    await service.businesses.setTier(businessId, "PREMIUM");
    const key = await withKey({ rateLimitPerHour: 50_000 });
    const seen = async () => {
      const one = await owner.get(`/api-keys/${key.id}`);
      const shown = [one.at("rateLimitPerHour"), (await owner.get("/api-keys")).at("data.0.rateLimitPerHour")];
      const statistics = await owner.get(`/api-keys/${key.id}/stats`);
      const { headers } = await key.get(BUDGETS);
      const policy = headers["ratelimit-policy"];
      return [...shown, statistics.at("rateLimitStats.limit"), headers["x-ratelimit-limit"], policy];
    };
    const raised = [50_000, 50_000, 50_000, "50000", '"hour";q=50000;w=3600, "burst";q=1666;w=60'];
    assert.deepEqual(await seen(), raised);
    await service.businesses.setTier(businessId, "STANDARD");
    assert.deepEqual(await seen(), [10_000, 10_000, 10_000, "10000", '"hour";q=10000;w=3600, "burst";q=333;w=60']);
    await service.businesses.setTier(businessId, "PREMIUM");
    assert.deepEqual(await seen(), raised);
  });

  it("charges every authenticated request, including failed ones", async ({ full, reader, anonymous }) => {
    const replies = [
      await full.get(`${BUDGETS}/999`),
      await full.get(`${BUDGETS}?page=0`),
      await full.post(BUDGETS, "{"),
      await full.get("/api/public/nowhere"),
      await full.send("PATCH", BUDGETS),
      await full.send("HEAD", BUDGETS),
      await full.get(`${BUDGETS}/`),
    ];
    assert.deepEqual(
      replies.map(({ headers }) => headers["x-ratelimit-remaining"]),
      ["999", "998", "997", "996", "995", "994", "993"],
    );
    assert.equal((await reader.delete(`${BUDGETS}/1`)).headers["x-ratelimit-remaining"], "999");
    for (const path of [BUDGETS, "/api/public/nowhere", "/"]) {
      assert.equal((await anonymous.get(path)).headers["x-ratelimit-limit"], undefined);
    }
  });

  it("admits a hundred requests in any minute and no more (RATE_LIMIT_EXCEEDED)", async ({ full, clock }) => {
    await spend(full, 50);
    clock.advance(MINUTE_MS / 2);
    await spend(full, 50);
    const refused = await full.get(BUDGETS);
    assertRefused(refused, { limit: 1_000, resetAt: STARTED + MINUTE_MS, retryAfter: 30 });
    assert.match(refused.text("message"), /at most 100 a minute/);
    assert.equal(refused.headers.ratelimit, '"hour";r=900;t=3570, "burst";r=0;t=30');
    clock.advance(MINUTE_MS / 2 - 1);
    assertStatus(await full.get(BUDGETS), 429);
    clock.advance(1);
    assert.equal((await full.get(BUDGETS)).headers["x-ratelimit-remaining"], "899");
  });

  it("admits the hour's number of requests in any hour, and charges no refused one (RATE_LIMIT_EXCEEDED)", async (world) => {
    const key = await world.withKey({ rateLimitPerHour: 3 });
    await spend(key, 1);
    world.clock.advance(10 * MINUTE_MS);
    await spend(key, 2);
    for (let times = 0; times < 5; times += 1) {
      const refused = await key.get(BUDGETS);
      assertRefused(refused, { limit: 3, resetAt: STARTED + HOUR_MS, retryAfter: 3_000 });
      assert.equal(refused.headers["x-ratelimit-remaining"], "0");
    }
    world.clock.advance(50 * MINUTE_MS);
    assertStatus(await key.get(BUDGETS), 200);
    assertRefused(await key.get(BUDGETS), { limit: 3, resetAt: STARTED + HOUR_MS + 10 * MINUTE_MS, retryAfter: 600 });
  });

  it("neither admits more nor refuses for longer when the clock is set back", async (world) => {
    const key = await world.withKey({ rateLimitPerHour: 3 });
    await spend(key, 3);
    for (const back of [HOUR_MS / 2, 3 * HOUR_MS]) {
      world.clock.advance(-back);
      assertRefused(await key.get(BUDGETS), { limit: 3, resetAt: world.clock.now() + HOUR_MS, retryAfter: 3_600 });
    }
    world.clock.advance(HOUR_MS - 1);
    assertStatus(await key.get(BUDGETS), 429);
    world.clock.advance(1);
    await spend(key, 3);
  });

  it("applies the rate limit to unknown paths too, and before anything is done (RATE_LIMIT_EXCEEDED)", async (world) => {
    const key = await world.withKey({ rateLimitPerHour: 1 });
    await spend(key, 1);
    assertStatus(await key.get("/api/public/nowhere"), 429);
    assertStatus(await key.post(BUDGETS, "{"), 429);
    assertStatus(await key.send("PATCH", BUDGETS), 429);
  });

  it("counts the rate limit for each key", async (world) => {
    const one = await world.withKey({ rateLimitPerHour: 1 });
    const other = await world.withKey({ rateLimitPerHour: 1 });
    await spend(one, 1);
    assertStatus(await one.get(BUDGETS), 429);
    assertStatus(await other.get(BUDGETS), 200);
  });

  it("follows a change of the key's rate limit at once", async (world) => {
    const key = await world.withKey({ rateLimitPerHour: 1 });
    await spend(key, 1);
    assertStatus(await key.get(BUDGETS), 429);
    await world.service.keys.update(world.business, key.id, { rateLimitPerHour: 5 });
    assert.equal((await key.get(BUDGETS)).headers["x-ratelimit-remaining"], "3");
  });

  it("never admits more than the limit to concurrent requests", async (world) => {
    const key = await world.withKey({ rateLimitPerHour: 20 });
    const replies = await Promise.all(Array.from({ length: 50 }, () => key.get(BUDGETS)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 20);
    assert.equal(replies.filter(({ status }) => status === 429).length, 30);
  });

  it("gives a key with a higher rate a larger burst", async (world) => {
    const key = await world.withKey({ rateLimitPerHour: 9_000 });
    assert.equal((await key.get(BUDGETS)).headers["ratelimit-policy"], '"hour";q=9000;w=3600, "burst";q=300;w=60');
  });
}

async function spend(client: Client, requests: number): Promise<void> {
  for (let made = 0; made < requests; made += 1) assertStatus(await client.get(BUDGETS), 200);
}

function assertRefused(
  reply: Reply,
  { limit, resetAt, retryAfter }: { readonly limit: number; readonly resetAt: number; readonly retryAfter: number },
): void {
  assertStatus(reply, 429);
  assert.equal(reply.at("error"), "rate_limit_exceeded");
  assert.deepEqual(reply.at("details"), { limit, remaining: 0, resetAt: new Date(resetAt).toISOString() });
  assert.equal(reply.headers["retry-after"], String(retryAfter));
  assert.equal(reply.headers["x-ratelimit-limit"], String(limit));
  assert.equal(reply.headers["x-ratelimit-remaining"], "0");
  assert.equal(reply.headers["x-ratelimit-reset"], String(Math.ceil(resetAt / 1_000)));
  assert.equal(reply.headers["x-ratelimit-window"], "3600");
}
