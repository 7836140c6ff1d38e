import type { Delivery, DeliveryStatus, EventType } from "@budgetkit/client";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

/** Who receives deliveries: an endpoint, or a key with a `webhookUrl`. */
export interface Subscriber {
  readonly kind: "webhook" | "key";
  readonly id: string;
}

/** failed: for good. waiting: not finished. */
export type DeliveryView = "all" | "failed" | "waiting";

export interface DeliveryPage {
  readonly entries: readonly Delivery[];
  readonly hasMore: boolean;
}

export const PAGE_SIZE = 50;
const REFRESH_MS = 5_000;
const LOOKED_AT = 300;
const STATUSES: Readonly<Record<DeliveryView, readonly (DeliveryStatus | undefined)[]>> = {
  all: [undefined],
  failed: ["failed"],
  waiting: ["pending", "retrying"],
};

const operationsOf = ({ kind }: Subscriber) => (kind === "webhook" ? api.webhooks : api.keys);
const keyOf = ({ kind, id }: Subscriber) => [kind === "webhook" ? "webhooks" : "keys", "deliveries", id] as const;

/** Everything that a write to deliveries of the subscriber may change. */
export const deliveriesKey = keyOf;

interface Wanted {
  readonly view: DeliveryView;
  readonly event: EventType | undefined;
  readonly page: number; // 1 = the newest
}

/** One page, newest first; asked again while some of it waits. */
export const deliveriesQuery = (subscriber: Subscriber, { view, event, page }: Wanted) =>
  queryOptions({
    queryKey: [...keyOf(subscriber), "page", view, event ?? null, page],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<DeliveryPage> => {
      const operations = operationsOf(subscriber);
      const pages = await Promise.all(
        STATUSES[view].map((status) =>
          operations.listDeliveries(subscriber.id, { status, event, page, limit: PAGE_SIZE }, { signal }),
        ),
      );
      const entries = pages.flatMap(({ data }) => data).sort((a, b) => b.createdAt.localeCompare(a.createdAt));
      return { entries, hasMore: pages.some(({ pagination }) => pagination.hasMore) };
    },
    refetchInterval: ({ state }) => (state.data?.entries.some(isWaiting) ? REFRESH_MS : false),
  });

/** How many there are by state, of those that are kept. */
export const deliveryCountsQuery = (subscriber: Subscriber) =>
  queryOptions({
    queryKey: [...keyOf(subscriber), "counts"],
    queryFn: async ({ signal }) => {
      const count = async (status: DeliveryStatus) => {
        const { pagination } = await operationsOf(subscriber).listDeliveries(
          subscriber.id,
          { status, limit: 1 },
          { signal },
        );
        return pagination.total;
      };
      const [delivered, failed, pending, retrying] = await Promise.all([
        count("delivered"),
        count("failed"),
        count("pending"),
        count("retrying"),
      ]);
      return { delivered, failed, waiting: pending + retrying };
    },
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? REFRESH_MS : false),
  });

/** A delivery that is on no page that is shown; null = it is not among the last ones. */
export const deliveryQuery = (subscriber: Subscriber, deliveryId: string) =>
  queryOptions({
    queryKey: [...keyOf(subscriber), "delivery", deliveryId],
    queryFn: async ({ signal }): Promise<Delivery | null> => {
      let looked = 0;
      for await (const delivery of operationsOf(subscriber).eachDelivery(subscriber.id, {}, { signal })) {
        if (delivery.id === deliveryId) return delivery;
        looked += 1;
        if (looked === LOOKED_AT) break;
      }
      return null;
    },
  });

export function isWaiting({ status }: Pick<Delivery, "status">): boolean {
  return status === "pending" || status === "retrying";
}

export const retryDelivery = (subscriber: Subscriber, deliveryId: string) =>
  operationsOf(subscriber).retryDelivery(subscriber.id, deliveryId);

export const recoverDeliveries = (subscriber: Subscriber, since: string) =>
  operationsOf(subscriber).recoverDeliveries(subscriber.id, { since });
