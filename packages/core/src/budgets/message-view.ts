import { z } from "zod";
import { customerNameIn } from "../kernel/actor.js";
import { toTimestamp } from "../kernel/clock.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import type { ThreadEntry } from "./message-thread.js";

const SENDER = "The customer's own name, or the name of the business; null = not known.";

const shown = {
  /** Assigned by the service. */
  id: z.string(),
  /** A request for a change is part of the conversation. */
  kind: z.enum(["message", "changeRequest"]),
  /** The side that wrote it. */
  from: z.enum(["customer", "business"]),
  /** The customer's own name, or the name of the business; null = not known. */
  name: z.string().nullable().describe(SENDER),
  /** Plain text. */
  message: z.string().describe("Plain text."),
  /** ISO 8601, in UTC. */
  sentAt: timestampView,
};

/** A message as the customer sees it. It names no user and no key of the business. */
export const publicMessageSchema = z.object(shown).meta({ id: "PublicMessage" });
export type PublicMessageView = z.infer<typeof publicMessageSchema>;

export const messageViewSchema = z
  .object({
    ...shown,
    /** Id of the budget. */
    budgetId: z.string(),
    /** Who wrote it: `user:7`, `key:12`, `customer:Ana` or `system`. */
    sentBy: z.string().describe("`user:7`, `key:12`, `customer:` and the name, or `system`."),
  })
  .meta({ id: "Message" });
export type MessageView = z.infer<typeof messageViewSchema>;

export const messageListSchema = z.object({
  /** The entries of this page. */
  data: z.array(messageViewSchema),
  /** Which page this is, and how many there are. */
  pagination: paginationSchema,
});
export type MessageList = z.infer<typeof messageListSchema>;

export const publicMessageListSchema = z.object({
  /** The entries of this page. */
  data: z.array(publicMessageSchema),
  /** Which page this is, and how many there are. */
  pagination: paginationSchema,
});
export type PublicMessageList = z.infer<typeof publicMessageListSchema>;

/** `business`: its name; null = unknown. */
export function publicMessageOf(entry: ThreadEntry, business: string | null): PublicMessageView {
  const { id, kind, message, by, sentAt } = entry;
  const customer = customerNameIn(by);
  const from = customer === null ? "business" : "customer";
  return { id, kind, from, name: customer ?? business, message, sentAt: toTimestamp(sentAt) };
}

export function messageViewOf(entry: ThreadEntry, budgetId: string, business: string | null): MessageView {
  return { ...publicMessageOf(entry, business), budgetId, sentBy: entry.by };
}
