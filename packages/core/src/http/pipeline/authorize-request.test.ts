import { manualClock, memoryStore } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { scryptHasher } from "../../access/password.js";
import { createBudgetService } from "../../create-service.js";
import { systemRandom } from "../../kernel/random.js";
import type { ApiRequest } from "../message.js";

/** The names of the store's methods that a read of the budgets calls, after a first one. */
async function callsOf(kind: "key" | "user"): Promise<readonly string[]> {
  const calls: string[] = [];
  const store = new Proxy(memoryStore(), {
    get: (target, name, receiver) => {
      const member = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]) => {
        calls.push(String(name));
        return Reflect.apply(member, target, args);
      };
    },
  });
  const passwordHasher = scryptHasher(systemRandom, { cost: 2 });
  const service = createBudgetService({ store, secret: "s".repeat(32), clock: manualClock(), passwordHasher });
  const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const user = { email: "olga@example.com", password: "correct horse battery" };
  await service.users.create({ ...user, businessId, displayName: "Olga", role: "OWNER" });
  const made = await service.keys.create({ kind: "system", businessId }, { name: "a", scopes: ["READ_BUDGETS"] });
  const session = (await service.sessions.login(user))._unsafeUnwrap();
  const credential = kind === "key" ? made._unsafeUnwrap().key : session.access_token;
  for (let times = 0; times < 2; times += 1) {
    calls.length = 0;
    expect((await service.handle(getBudgets(credential))).status).toBe(200);
  }
  return calls.filter((name) => name !== "addUsage"); // in the background
}

function getBudgets(credential: string): ApiRequest {
  return {
    method: "GET",
    target: "/v1/api/public/budgets",
    header: (name) => (name === "authorization" ? `Bearer ${credential}` : null),
    readBody: async () => new Uint8Array(),
    streamBody: async function* () {},
    peerAddress: null,
    original: null,
  };
}

describe("a request on the public API", () => {
  it("a request costs a key one look-up and one decision, and a user those of session, user and tier", async () => {
    const ofKey = await callsOf("key");
    const ofUser = await callsOf("user");
    expect(ofKey.slice(0, 2)).toEqual(["findKeyByHash", "consume"]);
    expect(ofUser.slice(0, 4)).toEqual(["findSession", "findUser", "findBusiness", "consume"]);
    expect(ofUser.slice(4)).toEqual(ofKey.slice(2));
  });
});
