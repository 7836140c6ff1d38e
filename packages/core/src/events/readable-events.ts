import { type Actor, hasScope, refuseUnlessReader, type Scope } from "../kernel/actor.js";
import type { Problem } from "../kernel/problem.js";
import { AUDIT_TYPES, type AuditType, EVENT_TYPES, type EventType } from "./event.js";

type EntryType = EventType | AuditType;
type GroupOf<Type extends string> = Type extends `${infer Group}.${string}` ? Group : never;

/** The scope that reads the records of a group, and so its entries; null = every user may read them. */
const SCOPES_OF_GROUPS: Readonly<Record<GroupOf<EntryType>, Scope | null>> = {
  budget: "READ_BUDGETS",
  mail: "READ_BUDGETS",
  reminders: "READ_BUDGETS",
  customer: "READ_CUSTOMERS",
  product: "READ_PRODUCTS",
  public_link: "READ_BUDGETS",
  package: "READ_PRODUCTS",
  api_key: null,
  webhook: null,
  business: null,
  user: null,
  integration: null,
};

const ENTRY_TYPES: readonly EntryType[] = [...EVENT_TYPES, ...AUDIT_TYPES];
const GROUPS = new Map<string, Scope | null>(Object.entries(SCOPES_OF_GROUPS));

/** True when the actor may read the record that an entry of this type is about. */
export function mayReadType(actor: Actor, type: EntryType): boolean {
  const scope = scopeOf(type);
  return scope === null || (scope !== undefined && hasScope(actor, scope));
}

/** The types that the actor may read; null = all. */
export function readableTypes(actor: Actor): readonly EntryType[] | null {
  const readable = ENTRY_TYPES.filter((type) => mayReadType(actor, type));
  return readable.length === ENTRY_TYPES.length ? null : readable;
}

/** Refuses a type that the actor may not read. Null = allowed. */
export function refuseUnreadable(actor: Actor, type: EntryType): Problem | null {
  if (mayReadType(actor, type)) return null;
  return { kind: "forbidden", message: `Events of this type need the scope ${scopeOf(type)}.` };
}

/** Null = allowed. */
export function refuseUnlessEventReader(actor: Actor): Problem | null {
  if (refuseUnlessReader(actor) === null) return null;
  return { kind: "forbidden", message: "Events are read with a login token." };
}

function scopeOf(type: EntryType): Scope | null | undefined {
  return GROUPS.get(type.slice(0, type.indexOf(".")));
}
