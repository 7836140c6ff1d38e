import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { type Actor, hasScope, ROLES, refuseUnlessAdministrator, refuseUnlessReader, SCOPES } from "./actor.js";
import { checkActor } from "./check-actor.js";

const user = { kind: "user", businessId: "1", id: "7", role: "ADMIN", sessionId: null } as const;
const key = { kind: "key", businessId: "1", id: "7", scopes: ["WEBHOOKS"] } as const;

/** A session of a host whose getter restricts it. */
class Restricted {
  readonly kind = "user";
  readonly businessId = "1";
  readonly id = "7";
  readonly role = "MEMBER";
  readonly sessionId = null;

  get scopes() {
    return ["READ_BUDGETS"];
  }
}

/** Calls the check as a host without types does. */
const check = (actor: unknown) => () => Reflect.apply(checkActor, undefined, [actor]);

describe("checkActor", () => {
  it.each<Actor>([
    user,
    { ...user, role: "OWNER", sessionId: "9", address: "192.0.2.1", origin: { requestId: null, trace: null } },
    { ...user, role: "MEMBER" },
    { ...user, role: "MEMBER", scopes: ["READ_BUDGETS"] },
    key,
    { ...key, scopes: [] },
    { kind: "customer", businessId: "1", name: "Ana" },
    { kind: "system", businessId: "1" },
    Object.assign(Object.create(null), user),
    Object.assign(
      new (class Session {
        isFresh() {
          return true;
        }
      })(),
      user,
    ),
    runInNewContext("Object.assign({}, user)", { user }),
  ])("checkActor accepts %j", (actor) => {
    expect(check(actor)).not.toThrow();
  });

  it.each([
    [{ ...user, role: "member" }, 'role must be OWNER, ADMIN, MEMBER, not "member"'],
    [{ ...user, role: "viewer" }, 'not "viewer"'],
    [{ ...user, role: "toString" }, 'not "toString"'],
    [{ ...user, role: "" }, 'not ""'],
    [{ ...user, role: null }, "not null"],
    [{ ...user, role: undefined }, "not undefined"],
    [{ ...user, role: ["ADMIN"] }, "not a list"],
    [{ ...user, kind: "admin" }, 'the kind of an actor must be key, user, customer, system, not "admin"'],
    [{ ...user, kind: "constructor" }, 'not "constructor"'],
    [{ ...user, kind: undefined }, "not undefined"],
    [null, "an actor is an object, not null"],
    ["user", 'an actor is an object, not "user"'],
    [{ ...user, id: "" }, 'id must be a text that is not empty, not ""'],
    [{ ...user, id: 7 }, "not the number 7"],
    [{ ...user, sessionId: undefined }, "sessionId must be a text that is not empty, not undefined"],
    [{ ...user, businessId: "01" }, 'businessId must be the id of a business, not "01"'],
    [{ ...user, permissions: [] }, 'an actor of kind "user" has no field "permissions"'],
    [{ ...user, scopes: ["READ_BUDGETS"] }, "scopes are of a MEMBER: the role ADMIN has all of them"],
    [{ ...user, role: "MEMBER", scopes: "READ_BUDGETS" }, 'scopes must be a list, not "READ_BUDGETS"'],
    [{ ...user, role: "MEMBER", scopes: ["*"] }, 'not with "*"'],
    [{ ...key, scopes: undefined }, "scopes must be a list, not undefined"],
    [{ ...key, scopes: [undefined] }, "not with undefined"],
    [{ ...key, role: "ADMIN" }, 'an actor of kind "key" has no field "role"'],
    [{ kind: "customer", businessId: "1" }, "name must be a text that is not empty, not undefined"],
    [{ kind: "system", businessId: "1", scopes: [] }, 'an actor of kind "system" has no field "scopes"'],
    [new Restricted(), 'an actor of kind "user" has "scopes" from its class: pass a plain object. Fields: kind, '],
    [new (class Narrower extends Restricted {})(), 'has "scopes" from its class'],
    [Object.create(user), 'has "kind" from its class'],
    [Object.create({ permissions: [] }, Object.getOwnPropertyDescriptors(user)), 'has "permissions" from its class'],
    [
      Object.create(Object.create(null, { limit: { value: 1 } }), Object.getOwnPropertyDescriptors(user)),
      'has "limit"',
    ],
    [Object.defineProperty({ ...user }, "limit", { value: 1 }), 'has no field "limit"'],
  ])("checkActor refuses %j and names the value", (actor, message) => {
    expect(check(actor)).toThrow(RangeError);
    expect(check(actor)).toThrow(message);
  });
});

describe("the rights of a role that is not known", () => {
  /** A role that a newer version has stored, or that a host without types made up. */
  const unknown: Actor = Object.assign({ ...user }, { role: "VIEWER" });

  it("an unknown role has no rights", () => {
    expect(SCOPES.filter((scope) => hasScope(unknown, scope))).toEqual([]);
    expect(refuseUnlessReader(unknown)?.kind).toBe("forbidden");
    expect(refuseUnlessAdministrator(unknown)?.kind).toBe("forbidden");
  });

  it("the rights of an unknown role differ from those of each known role", () => {
    const rights = ROLES.map((role) => [
      hasScope({ ...user, role }, "READ_BUDGETS"),
      refuseUnlessReader({ ...user, role }) === null,
      refuseUnlessAdministrator({ ...user, role }) === null,
    ]);
    expect(rights).toEqual([
      [true, true, true],
      [true, true, true],
      [false, true, false],
    ]);
  });
});
