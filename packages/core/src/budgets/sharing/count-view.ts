import { z } from "zod";
import type { Actor } from "../../kernel/actor.js";
import { type Instant, MINUTE_MS, toTimestamp } from "../../kernel/clock.js";
import { timestampView } from "../../kernel/fields.js";
import type { BudgetContext } from "../budget-context.js";
import { budgetEventOf } from "../budget-event.js";
import { type ChannelViews, type LinkViewStore, VIEW_CHANNELS, type ViewChannel } from "../link-view-store.js";
import { asOf } from "../overdue.js";
import { customersOf } from "../references/summaries.js";
import { findByToken } from "./public-link.js";

export const linkViewsSchema = z
  .object({
    /** All views, at most one a minute. */
    count: z.int().describe("All views, at most one a minute."),
    /** The first view. ISO 8601, in UTC. */
    first: timestampView,
    /** The last view. ISO 8601, in UTC. */
    last: timestampView,
    /** The number of views by channel: the `c` of the link. */
    byChannel: z.partialRecord(z.enum(VIEW_CHANNELS), z.int()).describe("By channel: the `c` of the link."),
  })
  .meta({ id: "LinkViews" });
export type LinkViewsView = z.infer<typeof linkViewsSchema>;

/** Views of one budget within this time count as one: reloads, and floods. */
const VIEW_GAP_MS = MINUTE_MS;
const KEPT = 10_000;

/** Counts displayed pages. A flood of views of one link costs neither writes nor reads of the store. */
export type CountView = (token: string, channel: string | null, now: Instant) => Promise<void>;

export function createViewCounter(context: BudgetContext & { readonly store: LinkViewStore }): CountView {
  const lastSeen = new Map<string, number>(); // by token, by the monotonic clock; the oldest first
  return async (token, channel, now) => {
    const moment = context.clock.monotonicMs();
    const last = lastSeen.get(token);
    if (last !== undefined && moment - last < VIEW_GAP_MS) return;
    const budget = await findByToken(context, token);
    if (budget === null) return;
    lastSeen.delete(token);
    lastSeen.set(token, moment);
    const [oldest] = lastSeen.keys();
    if (lastSeen.size > KEPT && oldest !== undefined) lastSeen.delete(oldest);
    const { businessId, id: budgetId } = budget;
    const view = { businessId, budgetId, channel: channelOf(channel), at: now };
    const isKnown = (await context.store.listLinkViews(businessId, budgetId)).length > 0;
    const events = isKnown ? [] : [await viewedEvent(context, asOf(budget, now), now)];
    if ((await context.store.countView(view, VIEW_GAP_MS, events)) === "first") await context.announce(events);
  };
}

async function viewedEvent(context: BudgetContext, budget: Parameters<typeof budgetEventOf>[2], now: Instant) {
  const actor: Actor = { kind: "customer", businessId: budget.businessId, name: "customer" };
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
