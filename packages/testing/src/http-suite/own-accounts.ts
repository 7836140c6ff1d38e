import assert from "node:assert/strict";
import type { UserMail } from "@budgetkit/core";
import { HOUR_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import type { Client } from "./client.js";
import { assertRule, assertStatus } from "./samples.js";
import { totpCode } from "./totp-code.js";
import { OLGA, PASSWORD, type World } from "./world.js";

const NEXT = "a better password";

export function ownAccountCases(cases: HttpCases): void {
  passwordCases(cases);
  tokenCases(cases);
  pageCases(cases);
  totpCases(cases);
}

/** Olga's client, whose account is made by its first request, and another session of hers. */
async function withOlga({ owner, anonymous, as }: World): Promise<Client> {
  assertStatus(await owner.get("/api-keys"), 200);
  return as((await anonymous.post("/auth/login", OLGA)).text("access_token"));
}

function passwordCases({ it }: HttpCases): void {
  it("changes the own password with the present one, and ends the other sessions", async (world) => {
    const other = await withOlga(world);
    const { owner, anonymous } = world;
    assertStatus(await owner.post("/auth/password", { currentPassword: PASSWORD, newPassword: NEXT }), 200);
    assertStatus(await owner.get("/api-keys"), 200);
    assertStatus(await other.get("/api-keys"), 401);
    assertStatus(await anonymous.post("/auth/login", OLGA), 401);
    assertStatus(await anonymous.post("/auth/login", { ...OLGA, password: NEXT }), 201);
  });

  it("refuses a wrong present password and a weak new one with the field (WRONG_PASSWORD, WEAK_PASSWORD)", async (world) => {
    for (const [currentPassword, newPassword, rule, field] of [
      ["wrong password", NEXT, "WRONG_PASSWORD", "currentPassword"],
      [PASSWORD, "too short", "WEAK_PASSWORD", "newPassword"],
      [PASSWORD, "Qwertyuiop123", "WEAK_PASSWORD", "newPassword"],
    ]) {
      const refused = assertStatus(await world.owner.post("/auth/password", { currentPassword, newPassword }), 422);
      refused.assertAt({ "error.rule": rule, "error.details.0.field": field });
    }
  });

  it("changes the own email with the present password", async ({ owner, anonymous }) => {
    const changed = await owner.post("/auth/email", { password: PASSWORD, email: "olga@example.org" });
    assertStatus(changed, 200);
    changed.assertAt({ email: "olga@example.org", emailVerified: false });
    assertStatus(await anonymous.post("/auth/login", OLGA), 401);
    assertStatus(await anonymous.post("/auth/login", { ...OLGA, email: "olga@example.org" }), 201);
    assertStatus(await owner.post("/auth/email", { password: PASSWORD, email: "olga" }), 400);
  });

  it("logs in by an email in letters of any script, in every case and form", async ({ owner, anonymous }) => {
    const email = "jörg@müller-bau.example";
    const changed = assertStatus(await owner.post("/auth/email", { password: PASSWORD, email }), 200);
    assert.equal(changed.at("email"), email);
    for (const same of [email, "JO\u0308RG@Mu\u0308ller-Bau.example", "jörg@xn--mller-bau-q9a.example"]) {
      assertStatus(await anonymous.post("/auth/login", { email: same, password: PASSWORD }), 201);
    }
    assertStatus(await anonymous.post("/auth/login", { email: "jorg@müller-bau.example", password: PASSWORD }), 401);
  });

  it("refuses the email of another user, of any business (CONFLICT)", async ({ owner, otherOwner }) => {
    assertStatus(await otherOwner.get("/api-keys"), 200);
    assertStatus(await owner.post("/auth/email", { password: PASSWORD, email: "OTTO@example.com" }), 409);
  });

  it("refuses more than ten changes to emails of other users in 15 minutes (429)", async ({ owner, otherOwner }) => {
    assertStatus(await otherOwner.get("/api-keys"), 200);
    const ask = () => owner.post("/auth/email", { password: PASSWORD, email: "otto@example.com" });
    for (let count = 0; count < 10; count += 1) assertStatus(await ask(), 409);
    assertStatus(await ask(), 429);
  });

  it("a MEMBER changes the own password, and a key may not (UNAUTHORIZED)", async ({ member, full, anonymous }) => {
    const input = { currentPassword: PASSWORD, newPassword: NEXT };
    assertStatus(await member.post("/auth/password", input), 200);
    for (const client of [full, anonymous]) assertStatus(await client.post("/auth/password", input), 401);
  });

  it("disabling a user ends sessions; enabling allows logins", async ({ service, business, member, anonymous }) => {
    assertStatus(await member.get("/api-keys"), 200);
    const login = { email: "mara@example.com", password: PASSWORD };
    const session = await anonymous.post("/auth/login", login);
    const { id } = (await service.users.findByEmail(login.email))._unsafeUnwrap();
    (await service.users.disable(business, String(id)))._unsafeUnwrap();
    assertStatus(await member.get("/api-keys"), 401);
    const refresh = { refresh_token: session.text("refresh_token") };
    assertStatus(await anonymous.post("/auth/refresh", refresh), 401);
    assertStatus(await anonymous.post("/auth/login", login), 401);
    (await service.users.enable(business, String(id)))._unsafeUnwrap();
    assertStatus(await anonymous.post("/auth/login", login), 201);
    assertStatus(await member.get("/api-keys"), 401);
  });
}

function tokenCases({ it }: HttpCases): void {
  const mails: UserMail[] = [];
  const withMailer = {
    service: {
      mailer: {
        send: async (mail: UserMail) => {
          mails.push(mail);
        },
      },
    },
  };

  it(
    "mails a password reset on request, alike for an unknown email, which sets a password once (TOKEN_NOT_VALID)",
    async (world) => {
      mails.length = 0;
      const other = await withOlga(world);
      const { anonymous, service } = world;
      const unknown = await anonymous.post("/auth/password-reset", { email: "nobody@example.com" });
      const known = assertStatus(await anonymous.post("/auth/password-reset", { email: OLGA.email }), 200);
      assert.equal(unknown.status, known.status);
      assert.equal(unknown.body, known.body);
      await service.stop(); // waits for the mail
      assert.deepEqual(
        mails.map(({ to, purpose }) => [to, purpose]),
        [[OLGA.email, "password-reset"]],
      );
      const token = mails[0]?.token ?? "";
      assertStatus(await anonymous.post("/auth/set-password", { token, password: NEXT }), 200);
      assertStatus(await other.get("/api-keys"), 401);
      assertStatus(await anonymous.post("/auth/login", { ...OLGA, password: NEXT }), 201);
      assertRule(await anonymous.post("/auth/set-password", { token, password: NEXT }), "TOKEN_NOT_VALID");
    },
    withMailer,
  );

  it(
    "refuses the sixth password reset an hour for an email, known or not (429)",
    async ({ anonymous, clock }) => {
      const ask = () => anonymous.post("/auth/password-reset", { email: "nobody@example.com" });
      for (let count = 0; count < 5; count += 1) assertStatus(await ask(), 200);
      assert.equal(assertStatus(await ask(), 429).at("details.limit"), 5);
      clock.advance(HOUR_MS);
      assertStatus(await ask(), 200);
    },
    withMailer,
  );

  it("refuses a password reset by mail without a mailer (501)", async ({ anonymous }) => {
    const refused = assertStatus(await anonymous.post("/auth/password-reset", { email: OLGA.email }), 501);
    assert.equal(refused.at("error.code"), "NOT_IMPLEMENTED");
  });

  it("an invited user sets a password and logs in (WEAK_PASSWORD)", async ({ service, business, anonymous }) => {
    const user = { email: "ben@example.com", displayName: "Ben", role: "MEMBER" } as const;
    const { token } = (await service.users.invite(business, user))._unsafeUnwrap();
    const login = { email: user.email, password: NEXT };
    assertStatus(await anonymous.post("/auth/login", login), 401);
    assertRule(await anonymous.post("/auth/set-password", { token, password: "too short" }), "WEAK_PASSWORD");
    assertStatus(await anonymous.post("/auth/set-password", { token, password: NEXT }), 200);
    assertStatus(await anonymous.post("/auth/login", login), 201);
  });
}

function pageCases({ it }: HttpCases): void {
  const path = "/v1/auth/password-page";
  const open = ({ send }: World, query: string) =>
    send({ method: "GET", path: `${path}?${query}`, headers: { accept: "text/html" }, body: null });
  const fill = ({ send }: World, fields: Readonly<Record<string, string>>) =>
    send({
      method: "POST",
      path,
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
      body: new URLSearchParams(fields).toString(),
    });

  it("the password page shows a form to a browser, which sets the password once", async (world) => {
    const { service, business, anonymous } = world;
    const user = { email: "ben@example.com", displayName: "Ben", role: "MEMBER" } as const;
    const { token, link } = (await service.users.invite(business, user))._unsafeUnwrap();
    assert.ok(link.endsWith(`${path}?token=${token}`));
    for (let opened = 0; opened < 2; opened += 1) {
      const page = await open(world, `token=${token}`);
      assert.equal(page.status, 200);
      assert.match(page.headers["content-type"] ?? "", /^text\/html/);
      assert.equal(page.headers["referrer-policy"], "no-referrer");
      assert.ok(page.text.includes(`name="token" value="${token}"`));
    }
    const weak = await fill(world, { token, password: "too short" });
    assert.equal(weak.status, 422);
    assert.ok(weak.text.includes("at least 12 characters"));
    assert.equal((await fill(world, { token, password: NEXT })).status, 200);
    assertStatus(await anonymous.post("/auth/login", { email: user.email, password: NEXT }), 201);
    assert.equal((await fill(world, { token, password: NEXT })).status, 422);
  });

  it("the password page escapes what the link carries", async (world) => {
    const page = await open(world, new URLSearchParams({ token: '"><script>' }).toString());
    assert.equal(page.status, 200);
    assert.ok(!page.text.includes("<script>"));
  });
}

function totpCases({ it }: HttpCases): void {
  it("a confirmed second factor requires a code, which works once, or a recovery code", async (world) => {
    const { owner, anonymous, clock } = world;
    const enrolled = assertStatus(await owner.post("/auth/totp", { password: PASSWORD }), 201);
    assert.ok(enrolled.text("url").startsWith("otpauth://totp/"));
    assertStatus(await anonymous.post("/auth/login", OLGA), 201);
    const code = () => totpCode(enrolled.text("secret"), clock.now());
    assertStatus(await owner.post("/auth/totp/confirm", { code: "000000" }), 422);
    const confirmed = assertStatus(await owner.post("/auth/totp/confirm", { code: code() }), 200);
    const asked = assertStatus(await anonymous.post("/auth/login", OLGA), 401);
    assert.equal(asked.at("error.code"), "SECOND_FACTOR_NEEDED");
    clock.advance(30_000);
    const login = { ...OLGA, totp: code() };
    assertStatus(await anonymous.post("/auth/login", login), 201);
    assertStatus(await anonymous.post("/auth/login", login), 401);
    const recovery = { ...OLGA, recoveryCode: confirmed.text("recoveryCodes.0") };
    assertStatus(await anonymous.post("/auth/login", recovery), 201);
    assertStatus(await anonymous.post("/auth/login", recovery), 401);
    clock.advance(30_000);
    assertStatus(await owner.post("/auth/totp/disable", { password: "wrong password", code: code() }), 422);
    assertStatus(await owner.post("/auth/totp/disable", { password: PASSWORD, code: code() }), 200);
    assertStatus(await anonymous.post("/auth/login", OLGA), 201);
  });

  it("refuses to confirm a second factor after ten wrong codes in 15 minutes (429)", async ({ owner, clock }) => {
    const enrolled = await owner.post("/auth/totp", { password: PASSWORD });
    const confirm = (code: string) => owner.post("/auth/totp/confirm", { code });
    for (let count = 0; count < 10; count += 1) assertStatus(await confirm("000000"), 422);
    assertStatus(await confirm(totpCode(enrolled.text("secret"), clock.now())), 429);
    clock.advance(15 * 60_000);
    assertStatus(await confirm(totpCode(enrolled.text("secret"), clock.now())), 200);
  });

  it("refuses to confirm or disable a second factor that is not enrolled (CONFLICT)", async ({ owner }) => {
    assertStatus(await owner.post("/auth/totp/confirm", { code: "000000" }), 409);
    assertStatus(await owner.post("/auth/totp/disable", { password: PASSWORD, code: "000000" }), 409);
  });
}
