import assert from "node:assert/strict";
import type { Role } from "@budgetkit/core/store";
import { type HttpCases, withOptions } from "./cases.js";
import type { Client, Reply } from "./client.js";
import { assertRule, assertStatus, BUDGETS } from "./samples.js";
import { totpCode } from "./totp-code.js";
import { PASSWORD, START, type World } from "./world.js";

const BUSINESS = "/api/developer/business";
const USERS = "/api/developer/users";
const ACCOUNT = "/auth/account";
const ON = { requireSecondFactor: true };

/** A second factor that a business demands of its users, and the account of each. */
export function demandedFactorCases(cases: HttpCases): void {
  demandCases(cases);
  settingCases(cases);
  removalCases(cases);
  accountCases(cases);
}

/** Enrols a second factor for the client's user. Gives the code of the moment. */
async function enrol(client: Client, { clock }: World): Promise<() => string> {
  const secret = assertStatus(await client.post("/auth/totp", { password: PASSWORD }), 201).text("secret");
  const code = () => totpCode(secret, clock.now());
  assertStatus(await client.post("/auth/totp/confirm", { code: code() }), 200);
  return code;
}

/** The owner has a second factor, and demands one. */
async function demand(world: World): Promise<() => string> {
  const code = await enrol(world.owner, world);
  assertStatus(await world.owner.put(BUSINESS, ON), 200);
  return code;
}

function assertRequired(reply: Reply): void {
  assertStatus(reply, 403);
  assert.equal(reply.at("error.code") ?? String(reply.at("error")).toUpperCase(), "SECOND_FACTOR_REQUIRED");
}

function demandCases({ it }: HttpCases): void {
  it("a user without the second factor that the business demands only enrols one (SECOND_FACTOR_REQUIRED)", async (world) => {
    const { owner, member, anonymous } = world;
    assertStatus(await member.get(BUSINESS), 200); // the session is open before the demand
    await demand(world);
    assert.equal(assertStatus(await owner.get(BUSINESS), 200).at("requireSecondFactor"), true);
    for (const path of [BUSINESS, BUDGETS, "/api-keys", USERS]) assertRequired(await member.get(path));
    assertRequired(await member.post("/auth/password", { currentPassword: PASSWORD, newPassword: "a better one" }));
    assertRequired(await member.post(BUDGETS, {}));
    const login = { email: "mara@example.com", password: PASSWORD };
    const again = world.as(assertStatus(await anonymous.post("/auth/login", login), 201).text("access_token"));
    assertRequired(await again.get(BUSINESS));
    assert.equal(assertStatus(await again.get(ACCOUNT), 200).at("secondFactorRequired"), true);
    assertStatus(await again.post("/auth/logout"), 200);
    await enrol(member, world);
    assertStatus(await member.get(BUSINESS), 200);
    assert.equal((await member.get(ACCOUNT)).at("secondFactorRequired"), false);
  });

  it("keys, and users of other businesses, are not held to the demand", async (world) => {
    await demand(world);
    assertStatus(await world.full.get(BUDGETS), 200);
    assertStatus(await world.otherOwner.get(BUSINESS), 200);
  });

  it("refuses to remove the own second factor while the business demands one (SECOND_FACTOR_DEMANDED)", async (world) => {
    const { owner, clock } = world;
    const code = await demand(world);
    clock.advance(30_000);
    const given = { password: PASSWORD, code: code() };
    assertRule(await owner.post("/auth/totp/disable", given), "SECOND_FACTOR_DEMANDED");
    assertStatus(await owner.put(BUSINESS, { requireSecondFactor: false }), 200);
    assertStatus(await owner.post("/auth/totp/disable", given), 200);
  });
}

function settingCases({ it }: HttpCases): void {
  it("an OWNER demands a second factor only with one of their own (SECOND_FACTOR_MISSING)", async (world) => {
    const { owner } = world;
    const before = assertStatus(await owner.get(BUSINESS), 200);
    assert.equal(before.at("requireSecondFactor"), false);
    const refused = await owner.put(BUSINESS, { ...ON, footer: "Thank you" });
    assertRule(refused, "SECOND_FACTOR_MISSING");
    assert.equal(refused.at("error.details.0.field"), "requireSecondFactor");
    assert.equal((await owner.get(BUSINESS)).body, before.body);
    await demand(world);
    const log = await owner.get("/api/developer/events?event=business.updated");
    assert.deepEqual(log.at("data.0.change.fields"), ["requireSecondFactor"]);
  });

  it("an ADMIN neither demands a second factor nor ends the demand (FORBIDDEN)", async (world) => {
    const { client: admin } = await userOf(world, "ADMIN");
    await enrol(admin, world);
    assertStatus(await admin.put(BUSINESS, ON), 403);
    await demand(world);
    assertStatus(await admin.put(BUSINESS, { requireSecondFactor: false }), 403);
    assertStatus(await admin.put(BUSINESS, { ...ON, footer: "Thank you" }), 200);
  });

  for (const value of [null, "true", 1]) {
    it(`refuses a demand that is ${JSON.stringify(value)}`, async ({ owner }) => {
      const refused = assertStatus(await owner.put(BUSINESS, { requireSecondFactor: value }), 400);
      assert.equal(refused.at("error.details.0.field"), "requireSecondFactor");
    });
  }
}

function removalCases({ it }: HttpCases): void {
  it("removes the second factor of a user who lost it, whose sessions end", async (world) => {
    const { owner, anonymous } = world;
    const { client, path, login } = await userOf(world, "MEMBER");
    await enrol(client, world);
    assert.equal((await owner.get(path)).at("hasSecondFactor"), true);
    const removed = assertStatus(await owner.post(`${path}/remove-second-factor`), 200);
    removed.assertAt({ hasSecondFactor: false, openSessions: 0 });
    assertStatus(await client.get(ACCOUNT), 401);
    assertStatus(await anonymous.post("/auth/login", login), 201);
    const log = await owner.get("/api/developer/events?event=user.second_factor_disabled");
    assert.equal(log.at("pagination.total"), 1);
    assertStatus(await owner.post(`${path}/remove-second-factor`), 200); // has none: nothing changes
    assert.equal(
      (await owner.get("/api/developer/events?event=user.second_factor_disabled")).at("pagination.total"),
      1,
    );
  });

  it("an ADMIN removes the second factor of a MEMBER, not of an ADMIN or OWNER (FORBIDDEN)", async (world) => {
    const { owner } = world;
    const { client: admin } = await userOf(world, "ADMIN");
    for (const [role, status] of [
      ["MEMBER", 200],
      ["ADMIN", 403],
      ["OWNER", 403],
    ] as const) {
      const { path } = await userOf(world, role, `${role.toLowerCase()}-2`);
      assertStatus(await admin.post(`${path}/remove-second-factor`), status);
      assertStatus(await owner.post(`${path}/remove-second-factor`), 200);
    }
  });

  it("users do not remove their own second factor without a code (OWN_ACCOUNT)", async (world) => {
    const { owner } = world;
    await enrol(owner, world);
    const path = `${USERS}/${(await owner.get(ACCOUNT)).number("id")}`;
    assertRule(await owner.post(`${path}/remove-second-factor`), "OWN_ACCOUNT");
    assert.equal((await owner.get(ACCOUNT)).at("hasSecondFactor"), true);
  });
}

function accountCases(cases: HttpCases): void {
  const { it } = cases;
  it("every user reads the own account, with the last login and the open sessions", async (world) => {
    const { business, clock, anonymous } = world;
    const { client, login, id } = await userOf(world, "MEMBER");
    const first = JSON.parse(assertStatus(await client.get(ACCOUNT), 200).body);
    assert.deepEqual(first, {
      ...{ id: Number(id), businessId: Number(business.businessId), role: "MEMBER", secondFactorRequired: false },
      ...{ email: login.email, displayName: "ben", avatarUrl: null, emailVerified: false, status: "ACTIVE" },
      ...{ hasSecondFactor: false, createdAt: START, lastLoginAt: START, openSessions: 1 },
    });
    clock.advance(60_000);
    assertStatus(await anonymous.post("/auth/login", login), 201);
    (await client.get(ACCOUNT)).assertAt({ lastLoginAt: "2026-03-02T12:01:00.000Z", openSessions: 2 });
    assertStatus(await client.post("/auth/logout"), 200);
    const seen = assertStatus(await world.owner.get(`${USERS}/${id}`), 200);
    seen.assertAt({ lastLoginAt: "2026-03-02T12:01:00.000Z", openSessions: 1 });
    const invited = await world.owner.post(USERS, { email: "eve@example.com", displayName: "Eve", role: "MEMBER" });
    invited.assertAt({ "user.lastLoginAt": null, "user.openSessions": 0 });
    assertStatus(await world.full.get(ACCOUNT), 401);
  });

  const resolveUser = (request: { header(name: string): string | null }) =>
    ({ businessId: request.header("x-business") ?? "", userId: "clerk-7", role: "ADMIN" }) as const;
  const host = withOptions(cases, { service: { resolveUser } });

  host.it("the own account of a user of the host has the id, the business and the role alone", async (world) => {
    const headers = { "x-business": world.business.businessId };
    const { id, businessId, role, secondFactorRequired, ...others } = JSON.parse(
      assertStatus(await world.anonymous.get(ACCOUNT, headers), 200).body,
    );
    const known = ["clerk-7", Number(world.business.businessId), "ADMIN", false];
    assert.deepEqual([id, businessId, role, secondFactorRequired], known);
    assert.ok(Object.values(others).every((value) => value === null));
  });

  host.it("users of the host are not held to a second factor of this service", async (world) => {
    (await world.service.businesses.update(world.business, ON))._unsafeUnwrap();
    const headers = { "x-business": world.business.businessId };
    assertStatus(await world.anonymous.get(BUSINESS, headers), 200);
  });
}

/** Another user of the first business, logged in. */
async function userOf({ owner, anonymous, as, service, business }: World, role: Role, displayName = "ben") {
  assertStatus(await owner.get("/api-keys"), 200); // makes Olga
  const login = { email: `${displayName}@example.com`, password: PASSWORD };
  const made = await service.users.create({ ...login, businessId: business.businessId, displayName, role });
  const id = String(made._unsafeUnwrap().id);
  const session = assertStatus(await anonymous.post("/auth/login", login), 201);
  return { client: as(session.text("access_token")), path: `${USERS}/${id}`, id, login };
}
