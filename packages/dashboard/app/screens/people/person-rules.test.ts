import type { Account } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { allowedOf, matchesSearch, rolesOf, withoutFactor } from "./person-rules.js";

const person = (id: number, fields: Partial<Account> = {}): Account => ({
  id,
  email: `p${id}@roble.example`,
  displayName: `Person ${id}`,
  avatarUrl: null,
  businessId: 1,
  role: "MEMBER",
  emailVerified: true,
  status: "ACTIVE",
  hasSecondFactor: true,
  createdAt: "2026-01-01T00:00:00Z",
  lastLoginAt: null,
  openSessions: 1,
  ...fields,
});
const owner = person(1, { role: "OWNER" });
const admin = person(2, { role: "ADMIN" });
const member = person(3);
const viewer = ({ id, role }: Account) => ({ userId: String(id), role });

describe("allowedOf", () => {
  it("leaves the last OWNER who can log in as they are", () => {
    const invited = person(4, { role: "OWNER", status: "INVITED" });
    const allowed = allowedOf(viewer(owner), owner, [owner, invited, member]);
    expect(allowed).toMatchObject({ roles: ["OWNER"], disable: false, remove: false });
    expect(allowedOf(viewer(invited), owner, [owner, invited])).toMatchObject({ disable: false, remove: false });
  });

  it("lets nobody disable, delete or reset themselves, but end their sessions and give up their role", () => {
    const other = person(5, { role: "OWNER" });
    expect(allowedOf(viewer(owner), owner, [owner, other])).toEqual({
      roles: ["OWNER", "ADMIN", "MEMBER"],
      resend: false,
      disable: false,
      enable: false,
      endSessions: true,
      removeFactor: false,
      remove: false,
    });
  });

  it("lets an ADMIN neither change an OWNER nor make one, and reset a MEMBER's factor alone", () => {
    const people = [owner, admin, member, person(6, { role: "ADMIN" })];
    expect(allowedOf(viewer(admin), owner, people)).toMatchObject({
      roles: ["OWNER"],
      endSessions: false,
      remove: false,
    });
    expect(rolesOf(admin)).toEqual(["ADMIN", "MEMBER"]);
    expect(allowedOf(viewer(admin), member, people)).toMatchObject({ removeFactor: true, disable: true });
    expect(allowedOf(viewer(admin), person(6, { role: "ADMIN" }), people)).toMatchObject({ removeFactor: false });
  });

  it("offers to enable who is disabled, and to invite again who has not joined", () => {
    const disabled = person(7, { status: "DISABLED", openSessions: 0 });
    const invited = person(8, { status: "INVITED", openSessions: 0 });
    expect(allowedOf(viewer(owner), disabled, [owner, disabled])).toMatchObject({ enable: true, disable: false });
    expect(allowedOf(viewer(owner), invited, [owner, invited])).toMatchObject({ resend: true, endSessions: false });
  });
});

describe("withoutFactor", () => {
  it("counts those who can log in without a code", () => {
    const people = [
      owner,
      person(2, { hasSecondFactor: false }),
      person(3, { hasSecondFactor: false, status: "DISABLED" }),
    ];
    expect(withoutFactor(people).map(({ id }) => id)).toEqual([2]);
  });
});

describe("matchesSearch", () => {
  it("finds a person by a part of the name or the email, in any case", () => {
    const found = person(9, { displayName: "Marisol Lugo", email: "ml@roble.example" });
    expect(matchesSearch(found, " lUgo ")).toBe(true);
    expect(matchesSearch(found, "ML@")).toBe(true);
    expect(matchesSearch(found, "dana")).toBe(false);
  });
});
