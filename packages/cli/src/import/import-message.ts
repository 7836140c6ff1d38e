import { sendMessageCommit } from "@budgetkit/core/store";
import type { ImportedMessage } from "./import-line.js";
import { CREATED, type ImportTarget, type Outcome, SKIPPED } from "./import-record.js";

/** The messages of a budget, with the requests for changes, which an import brings as messages. */
const MAX_IMPORTED = 1_000;

/** Whether the imported budget has the message. Changes nothing. */
export async function hasMessage(
  { store, actor }: ImportTarget,
  budgetId: string,
  { message, sentAt, ...exported }: ImportedMessage,
): Promise<boolean> {
  const { entries } = await store.listMessages(actor.businessId, budgetId, MAX_IMPORTED, 0);
  const [by, at] = [labelOf(exported), Date.parse(sentAt)];
  return entries.some((entry) => entry.message === message && entry.by === by && entry.sentAt === at);
}

/** Adds a message to the imported budget, at its original time. It is history, so it raises no event. */
export async function importMessage(
  target: ImportTarget,
  budgetId: string,
  exported: ImportedMessage,
): Promise<Outcome> {
  if (await hasMessage(target, budgetId, exported)) return SKIPPED;
  const { store, actor } = target;
  const { businessId } = actor;
  const { message, sentAt } = exported;
  const id = String(await store.reserveIds(businessId, 1));
  const kept = { businessId, budgetId, id, message, by: labelOf(exported), sentAt: Date.parse(sentAt) };
  const committed = await store.commit(sendMessageCommit(kept, MAX_IMPORTED));
  return committed.kind === "written" ? CREATED : { kind: "refused", why: "the budget has no room for more messages" };
}

/** Users and keys of the export are unknown here. */
function labelOf({ from, sentBy }: Pick<ImportedMessage, "from" | "sentBy">): string {
  return from === "customer" ? sentBy : "system";
}
