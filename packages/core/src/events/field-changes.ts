import type { EventChange } from "./event.js";

/** The values of one field; null before = it did not exist or was empty. */
interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

/** The part of an audit entry that describes a change. */
export interface AuditedChange {
  readonly change: Pick<EventChange, "fields" | "from" | "to">;
  readonly data: { readonly changes: Readonly<Record<string, FieldChange>> };
}

/** Fields that the service sets, apart from `status`. */
const IGNORED = new Set(["id", "createdAt", "updatedAt", "revokedAt", "lastUsedAt", "failingSince"]);

/**
 * Compares two views of a record; null = it does not exist. Views hold no secrets, so the result holds none. A status of
 * the views is the move of the change.
 */
export function auditedChange(before: object | null, after: object | null): AuditedChange {
  const from = new Map(Object.entries(before ?? {}));
  const to = new Map(Object.entries(after ?? {}));
  const fields = [...new Set([...from.keys(), ...to.keys()])].filter(
    (field) => !IGNORED.has(field) && textOf(from.get(field)) !== textOf(to.get(field)),
  );
  const changes = fields.map((field) => [field, { from: from.get(field) ?? null, to: to.get(field) ?? null }] as const);
  return {
    change: { fields, from: statusIn(from), to: statusIn(to) },
    data: { changes: Object.fromEntries(changes) },
  };
}

function textOf(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function statusIn(view: ReadonlyMap<string, unknown>): string | null {
  const status = view.get("status");
  return typeof status === "string" ? status : null;
}
