import { type Actor, ROLES, type Role, SCOPES } from "./actor.js";
import { parseId } from "./ids.js";
import type { OptionNames } from "./known-names.js";

type Kind = Actor["kind"];

const EVERY_KIND = { kind: true, businessId: true, origin: true, address: true } as const;

const FIELDS: { readonly [K in Kind]: OptionNames<Extract<Actor, { readonly kind: K }>> } = {
  key: { ...EVERY_KIND, id: true, scopes: true },
  user: { ...EVERY_KIND, id: true, role: true, sessionId: true, scopes: true },
  customer: { ...EVERY_KIND, name: true },
  system: EVERY_KIND,
};

/**
 * Reads an actor that a host made. Throws a RangeError that names the value for anything that is not one: an actor that
 * the service does not understand must not act. The check does not look the business or the user up.
 */
export function checkActor(actor: Actor): void {
  checkKind(actor);
  checkFields(`an actor of kind "${actor.kind}"`, actor, FIELDS[actor.kind]);
  checkBusinessId(actor.businessId);
  if (actor.kind === "customer") checkText("name", actor.name);
  if (actor.kind === "key" || actor.kind === "user") checkText("id", actor.id);
  if (actor.kind === "key") checkScopes(actor.scopes);
  if (actor.kind === "user") checkUser(actor);
}

function checkUser({ role, scopes, sessionId }: Extract<Actor, { readonly kind: "user" }>): void {
  checkRole(role);
  if (sessionId !== null) checkText("sessionId", sessionId);
  if (scopes === undefined) return;
  if (role !== "MEMBER") throw new RangeError(`scopes are of a MEMBER: the role ${role} has all of them`);
  checkScopes(scopes);
}

function checkKind(actor: unknown): void {
  if (typeof actor !== "object" || actor === null) throw new RangeError(`an actor is an object, not ${quoted(actor)}`);
  const kind: unknown = Reflect.get(actor, "kind");
  if (typeof kind === "string" && Object.hasOwn(FIELDS, kind)) return;
  throw new RangeError(`the kind of an actor must be ${Object.keys(FIELDS).join(", ")}, not ${quoted(kind)}`);
}

/** Throws a RangeError for anything but a known role. */
export function checkRole(role: unknown): asserts role is Role {
  if (isRole(role)) return;
  throw new RangeError(`role must be ${ROLES.join(", ")}, not ${quoted(role)}`);
}

export function isRole(role: unknown): role is Role {
  return ROLES.some((known) => known === role);
}

/** Throws a RangeError for an id that no business can have: a store must not treat it as a business without records. */
export function checkBusinessId(businessId: unknown): asserts businessId is string {
  if (typeof businessId === "string" && parseId(businessId) !== null) return;
  throw new RangeError(`businessId must be the id of a business, not ${quoted(businessId)}`);
}

/** Throws a RangeError for anything but a text with at least one character. */
export function checkText(name: string, value: unknown): asserts value is string {
  if (typeof value === "string" && value !== "") return;
  throw new RangeError(`${name} must be a text that is not empty, not ${quoted(value)}`);
}

/**
 * Throws a RangeError for a field that means nothing here: ignoring a restriction would grant what it takes away. The same
 * holds for any field that an object has from its class, such as a getter, because copies of the object lose it.
 */
export function checkFields(owner: string, value: object, names: Readonly<Record<string, true>>): void {
  const unknown = Object.getOwnPropertyNames(value).find((name) => !Object.hasOwn(names, name));
  const inherited = inheritedField(value);
  if (unknown === undefined && inherited === null) return;
  const fault =
    unknown === undefined
      ? `has ${quoted(inherited)} from its class: pass a plain object`
      : `has no field ${quoted(unknown)}`;
  throw new RangeError(`${owner} ${fault}. Fields: ${Object.keys(names).join(", ")}`);
}

/** Methods are no fields, and neither is what every object has, in whichever realm it was made. */
function inheritedField(value: object): string | null {
  for (let from = Object.getPrototypeOf(value); from !== null; from = Object.getPrototypeOf(from)) {
    if (from === Object.prototype) return null;
    for (const [name, { value: held }] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
      if (typeof held !== "function" && !(name in Object.prototype)) return name;
    }
  }
  return null;
}

function checkScopes(scopes: unknown): void {
  if (!Array.isArray(scopes)) throw new RangeError(`scopes must be a list, not ${quoted(scopes)}`);
  const unknown: unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown === undefined && !scopes.includes(undefined)) return;
  throw new RangeError(`scopes must be a list of ${SCOPES.join(", ")}, not with ${quoted(unknown)}`);
}

const MAX_QUOTED = 100;

/** A value as an error message names it. */
export function quoted(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.slice(0, MAX_QUOTED));
    case "number":
      return `the number ${value}`;
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "a list" : "an object";
    default:
      return typeof value === "boolean" ? String(value) : typeof value;
  }
}
