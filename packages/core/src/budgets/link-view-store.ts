import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";

/** How a customer came to the page. The `c` of a link names it; any other name counts as `other`. */
export const VIEW_CHANNELS = ["link", "mail", "sms", "whatsapp", "qr", "other"] as const;
export type ViewChannel = (typeof VIEW_CHANNELS)[number];

/** The kind of device, by its User-Agent. */
export const VIEW_DEVICES = ["phone", "tablet", "computer", "unknown"] as const;
export type ViewDevice = (typeof VIEW_DEVICES)[number];

/** The newest views of a budget that are kept one by one; the count goes on. */
export const MAX_VIEWINGS = 100;

/** One displayed page. */
export interface LinkView {
  readonly businessId: string;
  readonly budgetId: string;
  readonly channel: ViewChannel;
  readonly device: ViewDevice;
  readonly at: Instant;
}

/** A view that is kept. */
export type Viewing = Pick<LinkView, "at" | "device">;

/** All counted views of a budget. */
export interface ViewSum {
  readonly views: number; // from 1
  readonly last: Instant;
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

  /**
   * The newest views of a budget, at most {@link MAX_VIEWINGS}, newest first; of the same moment in the descending order
   * of the devices' names. Views that earlier releases counted are not among them.
   */
  listViewings(businessId: string, budgetId: string, limit: number, offset: number): Promise<Page<Viewing>>;

  /** The counted views of budgets, by budget; without those that have none. */
  sumViews(businessId: string, budgetIds: readonly string[]): Promise<ReadonlyMap<string, ViewSum>>;
}
