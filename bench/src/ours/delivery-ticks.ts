import type { BudgetService, WebhookOptions } from "@budgetkit/core";
import type { Batch } from "../harness/batches.js";
import { businessWithEndpoints, commitEvent } from "./webhooks.js";

/** A tick takes so many events at once; with the endpoints it fills a tick. */
const EVENTS = 100;
const ENDPOINTS = 5;
export const CALLS = EVENTS * ENDPOINTS;

export function capsOf(concurrency: number): WebhookOptions {
  return { concurrency: { total: concurrency, perBusiness: concurrency, perSubscriber: concurrency } };
}

/** Events are committed off the clock; fan-out, claims, calls and their settling are timed. */
export async function openTicks(
  name: string,
  { service, close }: { readonly service: BudgetService; close(): Promise<void> },
  origin: string,
): Promise<Batch> {
  const actor = await businessWithEndpoints(service, new Array(ENDPOINTS).fill(origin));
  return {
    name,
    prepare: async () => {
      await Promise.all(Array.from({ length: EVENTS }, () => commitEvent(service, actor)));
    },
    run: async () => {
      const { delivered } = await service.webhooks.tick();
      if (delivered !== CALLS) throw new Error(`${delivered} deliveries instead of ${CALLS}`);
    },
    close,
  };
}
