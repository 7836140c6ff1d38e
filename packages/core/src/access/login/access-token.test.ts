import { SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { readAccessToken, signAccessToken } from "./access-token.js";

const key = new Uint8Array(32).fill(1);
const otherKey = new Uint8Array(32).fill(2);
const now = Date.UTC(2026, 2, 2);
const seconds = now / 1_000;
const claims = { businessId: "1", userId: "30", sessionId: "40" };

/** A token that is good but for what a test changes; undefined leaves a claim out. */
function sign(changes: Record<string, unknown> = {}, alg = "HS256", signingKey = key): Promise<string> {
  const payload = {
    iss: "budgetkit",
    aud: "budgetkit:management",
    sub: "30",
    sid: "40",
    bid: "1",
    exp: seconds + 60,
    ...changes,
  };
  return new SignJWT(payload).setProtectedHeader({ alg }).sign(signingKey);
}

describe("an access token", () => {
  it("an access token identifies its user for one hour", async () => {
    const token = await signAccessToken(key, claims, now);
    expect(await readAccessToken([key], token, now)).toEqual(claims);
    expect(await readAccessToken([key], token, now + 3_599_999)).toEqual(claims);
    expect(await readAccessToken([key], token, now + 3_600_000)).toBeNull();
  });

  it("verifies an access token with each listed key", async () => {
    const token = await signAccessToken(otherKey, claims, now);
    expect(await readAccessToken([key, otherKey], token, now)).toEqual(claims);
    expect(await readAccessToken([key], token, now)).toBeNull();
  });

  it("reads an access token made by hand with the same claims", async () => {
    expect(await readAccessToken([key], await sign(), now)).toEqual(claims);
  });

  it.each([
    { iss: "another issuer" },
    { aud: "something else" },
    { exp: seconds },
    { exp: seconds - 1 },
    { iss: undefined },
    { aud: undefined },
    { sub: undefined },
    { sid: undefined },
    { bid: undefined },
    { exp: undefined },
    { sid: 40 },
    { bid: ["1"] },
  ])("refuses an access token with %j", async (changes) => {
    expect(await readAccessToken([key], await sign(changes), now)).toBeNull();
  });

  it("refuses an access token signed with another algorithm, or with none", async () => {
    const longKey = new Uint8Array(64).fill(1);
    expect(await readAccessToken([longKey], await sign({}, "HS256", longKey), now)).toEqual(claims);
    expect(await readAccessToken([longKey], await sign({}, "HS512", longKey), now)).toBeNull();
    const unsigned = new UnsecuredJWT({ sid: "40", bid: "1" })
      .setIssuer("budgetkit")
      .setAudience("budgetkit:management")
      .setSubject("30")
      .setExpirationTime(seconds + 60)
      .encode();
    expect(await readAccessToken([key], unsigned, now)).toBeNull();
  });

  it.each(["", "x", "a.b.c", "eyJhbGciOiJIUzI1NiJ9..", "bgk_live_x"])("refuses %j as an access token", async (text) => {
    expect(await readAccessToken([key], text, now)).toBeNull();
  });
});
