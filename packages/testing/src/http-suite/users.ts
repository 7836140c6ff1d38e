import assert from "node:assert/strict";
import type { UserMail } from "@budgetkit/core";
import type { Role } from "@budgetkit/core/store";
import { type HttpCases, withOptions } from "./cases.js";
import type { Client, Reply } from "./client.js";
import { assertReplay, assertRule, assertStatus, assertWrong } from "./samples.js";
import { OLGA, PASSWORD, START, type World } from "./world.js";

const USERS = "/api/developer/users";
const EVENTS = "/api/developer/events";
const BEN = { email: "ben@example.com", displayName: "Ben", role: "MEMBER" } as const;

export function userCases(cases: HttpCases): void {
  invitationCases(cases);
  changeCases(cases);
  roleCases(cases);
  ownerCases(cases);
  hostCases(cases);
}

function invitationCases(cases: HttpCases): void {
  const { it } = cases;
  it("invites a user, who sets a password by the token and is ACTIVE from then on", async (world) => {
    const { owner, anonymous } = world;
    const invited = assertStatus(await owner.post(USERS, BEN), 201);
    const path = `${USERS}/${invited.number("user.id")}`;
    assert.ok(new URL(invited.headers.location ?? "", `http://host.example/v1${USERS}`).pathname.endsWith(path));
    invited.assertAt({ "user.email": BEN.email, "user.status": "INVITED", expiresAt: "2026-03-09T12:00:00.000Z" });
    assert.ok(invited.text("link").endsWith(`/auth/password-page?token=${invited.text("token")}`));
    assertStatus(await anonymous.post("/auth/login", { email: BEN.email, password: PASSWORD }), 401);
    await join(world, invited);
    const { id, businessId } = { id: invited.number("user.id"), businessId: invited.number("user.businessId") };
    assert.deepEqual(JSON.parse(assertStatus(await owner.get(path), 200).body), {
      ...{ id, ...BEN, avatarUrl: null, businessId, emailVerified: false },
      ...{ status: "ACTIVE", hasSecondFactor: false, createdAt: START, lastLoginAt: START, openSessions: 1 },
    });
  });

  it("refuses to invite an email that a user of any business has (CONFLICT)", async ({ owner, otherOwner }) => {
    assertStatus(await otherOwner.get("/api-keys"), 200);
    for (const email of ["olga@example.com", "OTTO@example.com"]) {
      assert.equal(assertStatus(await owner.post(USERS, { ...BEN, email }), 409).at("error.code"), "CONFLICT");
    }
  });

  it("refuses the sixth invitation to an address in an hour, by one business (429)", async (world) => {
    const { owner, otherOwner, clock } = world;
    const invited = `${USERS}/${assertStatus(await owner.post(USERS, BEN), 201).number("user.id")}`;
    for (let times = 0; times < 4; times += 1) assertStatus(await owner.post(`${invited}/invitation`), 200);
    assertStatus(await owner.post(`${invited}/invitation`), 429);
    assertStatus(await owner.delete(invited), 200);
    assertStatus(await owner.post(USERS, BEN), 429);
    assertStatus(await otherOwner.post(USERS, BEN), 201);
    clock.advance(60 * 60_000 - 1);
    const again = world.as((await world.anonymous.post("/auth/login", OLGA)).text("access_token"));
    assertStatus(await again.post(USERS, { ...BEN, email: "BEN@example.com" }), 429);
  });

  it("an Idempotency-Key invites once, and the replay has the same token", async ({ owner }) => {
    const once = { "idempotency-key": "ben" };
    const first = assertStatus(await owner.post(USERS, BEN, once), 201);
    assertReplay(first, await owner.post(USERS, BEN, once));
    assertRule(await owner.post(USERS, { ...BEN, role: "ADMIN" }, once), "IDEMPOTENCY_KEY_REUSED");
    assert.equal((await owner.get(USERS)).at("pagination.total"), 2);
  });

  it("replaces the invitation of a user who has not joined, and refuses it to others (CONFLICT, USER_DISABLED)", async (world) => {
    const { owner, anonymous } = world;
    const first = assertStatus(await owner.post(USERS, BEN), 201);
    const path = `${USERS}/${first.number("user.id")}`;
    const second = assertStatus(await owner.post(`${path}/invitation`), 200);
    const used = { token: first.text("token"), password: PASSWORD };
    assertRule(await anonymous.post("/auth/set-password", used), "TOKEN_NOT_VALID");
    assertStatus(await owner.put(path, { disabled: true }), 200);
    assertRule(await owner.post(`${path}/invitation`), "USER_DISABLED");
    assertStatus(await owner.put(path, { disabled: false }), 200);
    assertRule(await anonymous.post("/auth/set-password", { ...used, token: second.text("token") }), "TOKEN_NOT_VALID");
    await join(world, await owner.post(`${path}/invitation`));
    assert.equal(assertStatus(await owner.post(`${path}/invitation`), 409).at("error.code"), "CONFLICT");
  });

  const wrong: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ email: "ben" }, "email"],
    [{ email: null }, "email"],
    [{ displayName: "" }, "displayName"],
    [{ displayName: "x".repeat(256) }, "displayName"],
    [{ role: "ROOT" }, "role"],
    [{ role: undefined }, "role"],
  ];
  for (const [overrides, field] of wrong) {
    it(`refuses an invitation with ${JSON.stringify(overrides).slice(0, 40)}`, async ({ owner }) => {
      assertWrong(await owner.post(USERS, { ...BEN, ...overrides }), field);
      assert.equal((await owner.get(USERS)).at("pagination.total"), 1);
    });
  }

  mailCases(cases);
}

function mailCases(cases: HttpCases): void {
  const mails: UserMail[] = [];
  const mailer = { send: async (mail: UserMail) => void mails.push(mail) };
  const { it } = withOptions(cases, { service: { mailer } });

  it("mails each invitation once, also when its request is repeated", async ({ owner, service }) => {
    mails.length = 0;
    const invite = () => owner.post(USERS, BEN, { "idempotency-key": "ben" });
    const first = await invite();
    assertReplay(first, await invite());
    const second = await owner.post(`${USERS}/${first.number("user.id")}/invitation`);
    await service.stop(); // waits for the mails
    const sent = mails.map(({ to, purpose, token }) => [to, purpose, token]).sort();
    const expected = [first, second].map((each) => [BEN.email, "invitation", each.text("token")]).sort();
    assert.deepEqual(sent, expected);
  });
}

function changeCases({ it }: HttpCases): void {
  it("changes name, role and access of a user in one request, with an entry in the log for each", async (world) => {
    const { owner } = world;
    const { client, path, id } = await userOf(world, "ADMIN");
    assertStatus(await client.get(USERS), 200);
    const changed = assertStatus(
      await owner.put(path, { displayName: "Benedict", role: "MEMBER", disabled: true }),
      200,
    );
    changed.assertAt({ displayName: "Benedict", role: "MEMBER", status: "DISABLED" });
    assertStatus(await client.get("/api-keys"), 401);
    assert.equal(assertStatus(await owner.put(path, { disabled: true }), 200).body, changed.body);
    assert.equal(assertStatus(await owner.put(path, { disabled: false }), 200).at("status"), "ACTIVE");
    assertStatus(await client.get("/api-keys"), 401);
    assertStatus(await world.anonymous.post("/auth/login", { email: BEN.email, password: PASSWORD }), 201);
    const log = await owner.get(`${EVENTS}?subjectId=${id}&limit=100`);
    const [ofOlga, made] = [`user:${(await owner.get(USERS)).number("data.0.id")}`, "user.created"];
    const entries = Array.from({ length: log.number("pagination.total") }, (_, index) => [
      log.text(`data.${index}.event`),
      log.text(`data.${index}.actor`),
    ]).filter(([type]) => type !== "user.logged_in");
    assert.deepEqual(entries.reverse(), [
      [made, "system"],
      ...["updated", "role_changed", "disabled", "enabled"].map((act) => [`user.${act}`, ofOlga]),
    ]);
  });

  it("ends the sessions of a user, who may log in again", async (world) => {
    const { client, path } = await userOf(world, "MEMBER");
    assertStatus(await world.owner.post(`${path}/end-sessions`), 200);
    assertStatus(await client.get("/api-keys"), 401);
    assertStatus(await world.anonymous.post("/auth/login", { email: BEN.email, password: PASSWORD }), 201);
  });

  it("deletes a user, whose session ends and whose email is free again", async (world) => {
    const { owner } = world;
    const { client, path, id } = await userOf(world, "MEMBER");
    const removed = assertStatus(await owner.delete(path), 200);
    removed.assertData({ id: Number(id), email: BEN.email });
    assertStatus(await client.get("/api-keys"), 401);
    for (const reply of [await owner.get(path), await owner.put(path, {}), await owner.delete(path)]) {
      assert.equal(assertStatus(reply, 404).at("error.code"), "RESOURCE_NOT_FOUND");
    }
    assertStatus(await owner.post(USERS, BEN), 201);
  });

  it("lists users in pages, in the order of their creation", async ({ owner }) => {
    for (const name of ["a", "b"]) await owner.post(USERS, { ...BEN, email: `${name}@example.com` });
    const page = assertStatus(await owner.get(`${USERS}?limit=2&page=1`), 200);
    assert.deepEqual([page.at("data.0.email"), page.at("data.1.email")], ["olga@example.com", "a@example.com"]);
    page.assertAt({ "pagination.total": 3, "pagination.hasMore": true });
    assert.equal((await owner.get(`${USERS}?limit=2&page=2`)).at("data.0.email"), "b@example.com");
    assertStatus(await owner.get(`${USERS}?limit=0`), 400);
  });

  const wrong: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ role: "ROOT" }, "role"],
    [{ role: null }, "role"],
    [{ displayName: "" }, "displayName"],
    [{ disabled: "true" }, "disabled"],
  ];
  for (const [changes, field] of wrong) {
    it(`refuses a change of a user to ${JSON.stringify(changes)}`, async (world) => {
      const { path } = await userOf(world, "MEMBER");
      const before = await world.owner.get(path);
      assertWrong(await world.owner.put(path, changes), field);
      assert.equal((await world.owner.get(path)).body, before.body);
    });
  }

  for (const id of ["0", "abc", "007", "1e3", "99999999999999999999", "%00"]) {
    it(`finds no user ${id} (NOT_FOUND)`, async ({ owner }) => {
      for (const reply of [
        await owner.get(`${USERS}/${id}`),
        await owner.put(`${USERS}/${id}`, { displayName: "Ben" }),
        await owner.delete(`${USERS}/${id}`),
        await owner.post(`${USERS}/${id}/end-sessions`),
        await owner.post(`${USERS}/${id}/remove-second-factor`),
        await owner.post(`${USERS}/${id}/invitation`),
      ]) {
        assertStatus(reply, 404);
      }
    });
  }
}

function roleCases({ it }: HttpCases): void {
  it("shows and changes users to administrators alone: not to a MEMBER (FORBIDDEN), not to a key (UNAUTHORIZED)", async (world) => {
    const { path } = await userOf(world, "MEMBER");
    for (const [client, status] of [
      [world.member, 403],
      [world.full, 401],
      [world.anonymous, 401],
    ] as const) {
      for (const reply of await everyCall(client, path)) assertStatus(reply, status);
    }
    assert.equal((await world.owner.get(path)).at("status"), "ACTIVE");
  });

  it("an ADMIN invites and changes ADMIN and MEMBER, and neither makes nor changes an OWNER (FORBIDDEN)", async (world) => {
    const { owner } = world;
    const { client: admin, path: own } = await userOf(world, "ADMIN");
    const ofOlga = `${USERS}/${(await owner.get(USERS)).number("data.0.id")}`;
    for (const reply of (await everyCall(admin, ofOlga)).slice(2)) assertStatus(reply, 403);
    assertStatus(await admin.post(USERS, { ...BEN, email: "eve@example.com", role: "OWNER" }), 403);
    assertStatus(await admin.put(own, { role: "OWNER" }), 403);
    assert.equal((await owner.get(ofOlga)).at("displayName"), "olga");
    const invited = assertStatus(await admin.post(USERS, { ...BEN, email: "ada@example.com", role: "ADMIN" }), 201);
    const ofAda = `${USERS}/${invited.number("user.id")}`;
    assertStatus(await admin.put(ofAda, { role: "OWNER" }), 403);
    assertStatus(await admin.put(ofAda, { role: "MEMBER" }), 200);
    assertStatus(await admin.delete(ofAda), 200);
  });

  it("a user who becomes OWNER has no invitation any more, since an ADMIN may hold it (TOKEN_NOT_VALID)", async (world) => {
    const { owner, anonymous } = world;
    const invited = assertStatus(await owner.post(USERS, BEN), 201);
    assertStatus(await owner.put(`${USERS}/${invited.number("user.id")}`, { role: "OWNER" }), 200);
    const input = { token: invited.text("token"), password: PASSWORD };
    assertRule(await anonymous.post("/auth/set-password", input), "TOKEN_NOT_VALID");
  });
}

function ownerCases({ it }: HttpCases): void {
  it("keeps the last OWNER, and leaves the whole request without effect (LAST_OWNER)", async ({ owner }) => {
    const path = `${USERS}/${(await owner.get(USERS)).number("data.0.id")}`;
    assertStatus(await owner.post(USERS, { ...BEN, role: "OWNER" }), 201); // has not joined: cannot log in
    for (const reply of [
      await owner.put(path, { displayName: "Another", role: "ADMIN" }),
      await owner.put(path, { displayName: "Another", disabled: true }),
      await owner.delete(path),
    ]) {
      assertRule(reply, "LAST_OWNER");
    }
    (await owner.get(path)).assertAt({ displayName: "olga", role: "OWNER", status: "ACTIVE" });
  });

  it("refuses users who disable or delete themselves (OWN_ACCOUNT), who may give up a role and end their sessions", async (world) => {
    const { owner } = world;
    const { client: second, path } = await userOf(world, "OWNER");
    assertRule(await second.put(path, { disabled: true }), "OWN_ACCOUNT");
    assertRule(await second.delete(path), "OWN_ACCOUNT");
    assert.equal(assertStatus(await second.put(path, { role: "ADMIN" }), 200).at("role"), "ADMIN");
    assertRule(await second.delete(path), "OWN_ACCOUNT");
    assertStatus(await second.post(`${path}/end-sessions`), 200);
    assertStatus(await second.get(USERS), 401);
    assertStatus(await owner.delete(path), 200);
  });

  const races: Readonly<Record<string, (client: Client, path: string) => Promise<Reply>>> = {
    delete: (client, path) => client.delete(path),
    disable: (client, path) => client.put(path, { disabled: true }),
    demote: (client, path) => client.put(path, { role: "MEMBER" }),
  };
  for (const [name, act] of Object.entries(races)) {
    it(`keeps one of two OWNERs who ${name} each other at once (LAST_OWNER)`, async (world) => {
      const { owner } = world;
      const { client: second, path } = await userOf(world, "OWNER");
      const ofOlga = `${USERS}/${(await owner.get(USERS)).number("data.0.id")}`;
      const replies = await Promise.all([act(owner, path), act(second, ofOlga)]);
      const [done, refused] = replies.sort((one, other) => one.status - other.status);
      assert.equal(done?.status, 200);
      // The one who is too late has lost the session, the role or the right to change the last OWNER.
      assert.ok([401, 403, 422].includes(refused?.status ?? 0), refused?.body);
      const { data } = (await world.service.users.list(world.business))._unsafeUnwrap();
      assert.equal(data.filter(({ role, status }) => role === "OWNER" && status === "ACTIVE").length, 1);
    });
  }
}

function hostCases(cases: HttpCases): void {
  const resolveUser = (request: { header(name: string): string | null }) =>
    ({ businessId: request.header("x-business") ?? "", userId: "7", role: "OWNER" }) as const;
  const { it } = withOptions(cases, { service: { resolveUser } });

  it("refuses to manage users where the host has its own login (FORBIDDEN)", async ({
    anonymous,
    business,
    service,
  }) => {
    const { businessId } = business;
    const ben = await service.users.create({ ...BEN, businessId, password: PASSWORD });
    const headers = { "x-business": businessId };
    const client: Client = {
      ...anonymous,
      get: (path) => anonymous.get(path, headers),
      post: (path, body) => anonymous.post(path, body, headers),
      put: (path, body) => anonymous.put(path, body, headers),
      delete: (path) => anonymous.delete(path, headers),
    };
    for (const reply of await everyCall(client, `${USERS}/${ben._unsafeUnwrap().id}`)) {
      assert.match(assertStatus(reply, 403).text("error.message"), /own login/);
    }
  });
}

/** Each operation on users once, those that read first. */
async function everyCall(client: Client, path: string): Promise<readonly Reply[]> {
  const invitation = { ...BEN, email: "another@example.com", role: "OWNER" };
  return [
    await client.get(USERS),
    await client.get(path),
    await client.post(USERS, invitation),
    await client.put(path, { displayName: "Another" }),
    await client.post(`${path}/end-sessions`),
    await client.post(`${path}/remove-second-factor`),
    await client.post(`${path}/invitation`),
    await client.delete(path),
  ];
}

/** Ben with this role, logged in, in the business of Olga. */
async function userOf(
  { owner, anonymous, as, service, business }: World,
  role: Role,
): Promise<{ client: Client; path: string; id: string }> {
  assertStatus(await owner.get("/api-keys"), 200); // makes Olga
  const { businessId } = business;
  const made = await service.users.create({ ...BEN, businessId, role, password: PASSWORD });
  const id = String(made._unsafeUnwrap().id);
  const session = await anonymous.post("/auth/login", { email: BEN.email, password: PASSWORD });
  return { client: as(session.text("access_token")), path: `${USERS}/${id}`, id };
}

/** Sets a password by an invitation, and logs in. */
async function join({ anonymous }: World, invited: Reply): Promise<void> {
  const { token, email } = { token: invited.text("token"), email: invited.text("user.email") };
  assertStatus(await anonymous.post("/auth/set-password", { token, password: PASSWORD }), 200);
  assertStatus(await anonymous.post("/auth/login", { email, password: PASSWORD }), 201);
}
