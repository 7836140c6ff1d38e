import { z } from "zod";
import { matchCommitted } from "../../commit/match-committed.js";
import type { DomainEvent } from "../../events/event.js";
import type { Actor } from "../../kernel/actor.js";
import { type Instant, MINUTE_MS, toTimestamp } from "../../kernel/clock.js";
import { timestampView } from "../../kernel/fields.js";
import type { Budget } from "../budget.js";
import { countViewCommit } from "../budget-commits.js";
import type { BudgetContext } from "../budget-context.js";
import { budgetEventOf } from "../budget-event.js";
import { type ChannelViews, type LinkView, VIEW_CHANNELS, type ViewChannel } from "../link-view-store.js";
import { mailsOf, withMails } from "../notices/notices.js";
import { findByToken } from "../offer/public-token.js";
import { asOf } from "../overdue.js";
import { customersOf } from "../references/summaries.js";
import { deviceOf } from "./device-of.js";

export const linkViewsSchema = z
  .object({
    /** All views, at most one by a kind of device in ten minutes. */
    count: z.int().describe("All views, at most one by a kind of device in ten minutes."),
    /** The first view. ISO 8601, in UTC. */
    first: timestampView,
    /** The last view. ISO 8601, in UTC. */
    last: timestampView,
    /** The number of views by channel: the `c` of the link. */
    byChannel: z.partialRecord(z.enum(VIEW_CHANNELS), z.int()).describe("By channel: the `c` of the link."),
  })
  .meta({ id: "LinkViews" });
export type LinkViewsView = z.infer<typeof linkViewsSchema>;

/** Views of one budget by one kind of device within this time count as one: reloads, and floods. */
const VIEW_GAP_MS = 10 * MINUTE_MS;
const KEPT = 10_000;

/** What a request says of a view. */
interface Viewed {
  readonly token: string;
  readonly channel: string | null; // null = none was named
  readonly userAgent: string | null;
  readonly now: Instant;
}

/**
 * Counts displayed pages. A flood of views of one link costs neither writes nor reads of the store. Never rejects: a view
 * that cannot be counted is reported, and its page is displayed.
 */
export type CountView = (viewed: Viewed) => Promise<void>;

export function createViewCounter(context: BudgetContext, onError: (error: unknown) => void): CountView {
  const lastSeen = new Map<string, number>(); // by token and device, by the monotonic clock; the oldest first

  async function count({ token, channel, userAgent, now }: Viewed): Promise<void> {
    const moment = context.clock.monotonicMs();
    const device = deviceOf(userAgent);
    const key = `${device} ${token}`;
    const last = lastSeen.get(key);
    if (last !== undefined && moment - last < VIEW_GAP_MS) return;
    const budget = await findByToken(context, token);
    if (budget === null) return;
    lastSeen.delete(key);
    lastSeen.set(key, moment);
    const [oldest] = lastSeen.keys();
    if (lastSeen.size > KEPT && oldest !== undefined) lastSeen.delete(oldest);
    const { businessId, id: budgetId } = budget;
    await commitView(context, budget, { businessId, budgetId, channel: channelOf(channel), device, at: now });
  }

  return (viewed) => count(viewed).catch(onError);
}

/** Another request may count the first view meanwhile: whether this one is the first is then decided again, once. */
async function commitView(context: BudgetContext, budget: Budget, view: LinkView): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const isFirst = (await context.store.listLinkViews(view.businessId, view.budgetId)).length === 0;
    const events = isFirst ? [await viewedEvent(context, asOf(budget, view.at), view.at)] : [];
    const mails = isFirst ? await mailsOf(context, budget, viewerOf(budget), [VIEWED], view.at) : [];
    const counted = countViewCommit(view, VIEW_GAP_MS, isFirst, { events });
    const committed = await context.commit(withMails(counted, mails));
    if (matchCommitted(committed, { written: true, repeated: true, stale: false })) {
      if (mails.length > 0) context.mailing?.wake();
      return;
    }
  }
}

const VIEWED = { kind: "seller.viewed", message: null } as const;

function viewerOf({ businessId }: Budget): Actor {
  return { kind: "customer", businessId, name: "customer" };
}

async function viewedEvent(context: BudgetContext, budget: Budget, now: Instant): Promise<DomainEvent> {
  const actor = viewerOf(budget);
  const { status } = budget;
  const draft = { type: "budget.viewed", fields: [], from: status, to: status, reason: null } as const;
  const summaries = await customersOf(context, budget.businessId, [budget]);
  return budgetEventOf(draft, await context.ids.next(budget.businessId), budget, summaries, actor, now);
}

function channelOf(name: string | null): ViewChannel {
  return name === null ? "link" : (VIEW_CHANNELS.find((channel) => channel === name) ?? "other");
}

/** Null = no views. */
export function linkViewsOf(channels: readonly ChannelViews[]): LinkViewsView | null {
  if (channels.length === 0) return null;
  return {
    count: channels.reduce((sum, { views }) => sum + views, 0),
    first: toTimestamp(Math.min(...channels.map(({ first }) => first))),
    last: toTimestamp(Math.max(...channels.map(({ last }) => last))),
    byChannel: Object.fromEntries(channels.map(({ channel, views }) => [channel, views])),
  };
}
