import { makeAuditEntry } from "../../events/audit-entry.js";
import type { AuditEntry } from "../../events/event.js";
import type { Actor } from "../../kernel/actor.js";
import type { IdSource } from "../../kernel/ids.js";
import type { Mail } from "../mail.js";

/** The audit entry of a mail that is queued. */
export function mailEntryOf(ids: IdSource, actor: Actor, mail: Mail): Promise<AuditEntry> {
  const { id: subjectId, createdAt: now, budgetId, kind, to } = mail;
  const change = { from: null, to: mail.status };
  return makeAuditEntry(ids, actor, { type: "mail.queued", subjectId, now, change, data: { budgetId, kind, to } });
}
