import type { Attachment, BusinessEvent, LinkView, Mail, Message, Payment } from "@budgetkit/client";
import { actorParts, type Side } from "../actor.js";

export type TimelineContent =
  | { readonly kind: "event"; readonly event: BusinessEvent }
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "payment"; readonly payment: Payment }
  | { readonly kind: "mail"; readonly mail: Mail }
  | { readonly kind: "file"; readonly file: Attachment }
  | { readonly kind: "view"; readonly device: LinkView["device"]; readonly ordinal: number }; // 1 = the first view

export interface TimelineEntry {
  readonly key: string;
  readonly at: string;
  readonly actor: string;
  readonly side: Side;
  readonly content: TimelineContent;
}

/** What was loaded of one kind so far, newest first. */
interface Loaded<T> {
  readonly entries: readonly T[];
  readonly hasMore: boolean;
}

export interface Sources {
  readonly events: Loaded<BusinessEvent>;
  readonly messages: Loaded<Message>;
  readonly payments: Loaded<Payment>;
  readonly mails: Loaded<Mail>;
  readonly files: Loaded<Attachment>;
  readonly views: Loaded<LinkView>;
  /** How often the link was opened in all: the service keeps the newest views alone. */
  readonly viewCount: number;
}

export interface Timeline {
  readonly entries: readonly TimelineEntry[];
  readonly hasMore: boolean;
}

/** Shown by the message, the mail or the view itself, which says more. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set([
  "budget.message_sent",
  "budget.change_requested",
  "budget.viewed",
  "mail.queued",
]);

/**
 * All that happened, newest first. What is older than the oldest loaded entry of a source that has more is held back:
 * something else may still come before it.
 */
export function timelineOf(sources: Sources): Timeline {
  const parts = [
    partOf(sources.events, eventEntry),
    partOf(sources.messages, (message) =>
      entryOf(`message ${message.id}`, message.sentAt, message.sentBy, { kind: "message", message }),
    ),
    partOf(sources.payments, (payment) =>
      entryOf(`payment ${payment.id}`, payment.createdAt, payment.createdBy, { kind: "payment", payment }),
    ),
    partOf(sources.mails, (mail) => entryOf(`mail ${mail.id}`, mail.createdAt, mail.createdBy, { kind: "mail", mail })),
    partOf(sources.files, (file) => entryOf(`file ${file.id}`, file.createdAt, file.createdBy, { kind: "file", file })),
    partOf(sources.views, ({ viewedAt, device }, index) => {
      const ordinal = Math.max(sources.viewCount, sources.views.entries.length) - index;
      return entryOf(`view ${ordinal}`, viewedAt, "customer:", { kind: "view", device, ordinal });
    }),
  ];
  const addedAt = new Set(sources.files.entries.map(({ createdAt }) => createdAt));
  const horizon =
    parts
      .map((part) => part.horizon)
      .sort()
      .at(-1) ?? "";
  return {
    entries: parts
      .flatMap(({ entries }) => entries)
      .filter(({ at, content }) => at >= horizon && !isToldElsewhere(content, addedAt))
      .sort((one, other) => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1)),
    hasMore: parts.some(({ horizon: own }) => own !== ""),
  };
}

function partOf<T>({ entries, hasMore }: Loaded<T>, toEntry: (entry: T, index: number) => TimelineEntry) {
  const shown = entries.map(toEntry);
  return { entries: shown, horizon: hasMore ? (shown.at(-1)?.at ?? "") : "" };
}

function eventEntry(event: BusinessEvent): TimelineEntry {
  return entryOf(`event ${event.id}`, event.timestamp, event.actor, { kind: "event", event });
}

function entryOf(key: string, at: string, actor: string, content: TimelineContent): TimelineEntry {
  return { key, at, actor, side: actorParts(actor).side, content };
}

function isToldElsewhere(content: TimelineContent, addedAt: ReadonlySet<string>): boolean {
  if (content.kind !== "event") return false;
  const { event, change, timestamp } = content.event;
  if (event !== "budget.updated" || change.fields.length !== 1) return TOLD_ELSEWHERE.has(event);
  const [field] = change.fields;
  return field === "paid" || (field === "attachments" && addedAt.has(timestamp));
}
