import type { EventType } from "@budgetkit/client";

/** Which deliveries of an endpoint are shown, and which one beside them. */
export interface DeliverySearch {
  readonly view?: "failed" | "waiting"; // absent = all
  readonly event?: EventType;
  readonly page?: number; // absent = the newest
  readonly delivery?: string;
}

export const EVENT_NAMES: readonly EventType[] = [
  "budget.created",
  "budget.updated",
  "budget.approved",
  "budget.rejected",
  "budget.expired",
  "budget.deleted",
  "budget.viewed",
  "budget.change_requested",
  "budget.message_sent",
  "customer.created",
  "customer.updated",
  "customer.deleted",
  "product.created",
  "product.updated",
  "product.deleted",
];

const ID = /^\d{1,20}$/;
const LAST_PAGE = 100_000;

/** Reads text that may have been typed by hand. */
export function readDeliverySearch({ view, event, page, delivery }: Record<string, unknown>): DeliverySearch {
  const known = EVENT_NAMES.find((each) => each === event);
  const number = Number(page);
  const id = String(delivery ?? "");
  return {
    ...(view === "failed" || view === "waiting" ? { view } : {}),
    ...(known === undefined ? {} : { event: known }),
    ...(Number.isSafeInteger(number) && number > 1 && number <= LAST_PAGE ? { page: number } : {}),
    ...(ID.test(id) ? { delivery: id } : {}),
  };
}
