import type { Instant } from "../kernel/clock.js";

/** How a customer came to the page. The `c` of a link names it; any other name counts as `other`. */
export const VIEW_CHANNELS = ["link", "mail", "sms", "whatsapp", "qr", "other"] as const;
export type ViewChannel = (typeof VIEW_CHANNELS)[number];

/** One displayed page. */
export interface LinkView {
  readonly businessId: string;
  readonly budgetId: string;
  readonly channel: ViewChannel;
  readonly at: Instant;
}

/** The counted views of a budget by one channel. */
export interface ChannelViews {
  readonly channel: ViewChannel;
  readonly views: number; // from 1
  readonly first: Instant;
  readonly last: Instant;
}

/** The store's port for views of public links. Views are kept beside the budget, which stays as it is. */
export interface LinkViewStore {
  /** The views of a budget by channel, in the order of the channels' names. Empty = none. */
  listLinkViews(businessId: string, budgetId: string): Promise<readonly ChannelViews[]>;
}
