import assert from "node:assert/strict";
import { scryptHasher } from "@budgetkit/core";
import { HOUR_MS, MINUTE_MS } from "@budgetkit/core/store";
import { seededRandom } from "../seeded-random.js";
import { type HttpCases, withOptions } from "./cases.js";
import { assertStatus } from "./samples.js";
import { OLGA, type World } from "./world.js";

const WRONG = { ...OLGA, password: "wrong password" };
const HOME = "2001:db8:aaaa:1::7";

/** Believes the tests when they name a client's address. */
const BEHIND_PROXY = { service: { trustedProxies: ["127.0.0.0/8"] } };

export function loginThrottlingCases(cases: HttpCases): void {
  const { it } = withOptions(cases, BEHIND_PROXY);

  it("refuses failed logins from many networks for hours, while the owner's network logs in (429)", async (world) => {
    await makeOlga(world);
    assertStatus(await logInFrom(world, HOME, OLGA), 201);
    let refusals = 0;
    for (let waited = 0; waited < 2 * HOUR_MS; waited += 20 * MINUTE_MS) {
      for (let network = 0; network < 30; network += 1) {
        const { status } = await logInFrom(world, networkOf(network), WRONG);
        assert.ok(status === 401 || status === 429);
        if (status === 429) refusals += 1;
      }
      assertStatus(await logInFrom(world, HOME, OLGA), 201);
      world.clock.advance(20 * MINUTE_MS);
    }
    assert.ok(refusals >= 60, `${refusals} refusals`);
  });

  it("answers failed logins alike for an unknown account", async (world) => {
    await makeOlga(world);
    const eve = { ...WRONG, email: "eve@example.com" };
    for (let network = 0; network < 56; network += 1) {
      const known = await logInFrom(world, networkOf(network), WRONG);
      const unknown = await logInFrom(world, networkOf(1_000 + network), eve);
      assert.deepEqual([unknown.status, unknown.body], [known.status, known.body]);
    }
  });

  it(
    "concurrent failed logins do not shut the owner out",
    async (world) => {
      await makeOlga(world);
      assertStatus(await logInFrom(world, HOME, OLGA), 201);
      const flood = Array.from({ length: 160 }, (_, network) =>
        logInFrom(world, networkOf(network), network % 2 === 0 ? WRONG : { ...WRONG, email: `user${network}` }),
      );
      assertStatus(await logInFrom(world, HOME, OLGA), 201);
      for (const { status } of await Promise.all(flood)) assert.ok([401, 429, 503].includes(status));
      assertStatus(await logInFrom(world, HOME, OLGA), 201);
    },
    // Slow enough for a queue.
    { service: { passwordHasher: scryptHasher(seededRandom(2), { cost: 2 ** 11, concurrency: 1 }) } },
  );
}

/** The world makes Olga for the first request of `owner`. */
async function makeOlga({ owner }: World): Promise<void> {
  assertStatus(await owner.get("/api-keys"), 200);
}

function logInFrom({ anonymous }: World, address: string, credentials: typeof OLGA) {
  return anonymous.post("/auth/login", credentials, { "x-forwarded-for": address });
}

/** An address in a /48 of its own. */
function networkOf(index: number): string {
  return `2001:db8:${index.toString(16)}::1`;
}
