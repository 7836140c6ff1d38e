import { tracingChannel } from "node:diagnostics_channel";
import type { Clock } from "../kernel/clock.js";

/** Values by the names of OpenTelemetry's semantic conventions; what those do not name begins with `budgetkit.`. */
export type Attributes = Record<string, string | number>;

/** What the subscribers of a channel are handed: one object from the start to the end of what is observed. */
export interface Observation {
  /** Those that are known at the start, and at the end the outcome too. Never a credential, a body or a query. */
  readonly attributes: Attributes;
  durationMs: number | null; // null until the end
  error?: unknown; // what was thrown; a refusal is none
}

/** Names of the tracing channels: `tracing:budgetkit:request:start`, `…:asyncEnd` and so on. */
export const CHANNELS = {
  request: "budgetkit:request",
  delivery: "budgetkit:delivery",
  store: "budgetkit:store",
} as const;

type ObservedChannel = ReturnType<typeof tracingChannel<unknown, Observation>>;

export const requestChannel: ObservedChannel = tracingChannel(CHANNELS.request);
export const deliveryChannel: ObservedChannel = tracingChannel(CHANNELS.delivery);
export const storeChannel: ObservedChannel = tracingChannel(CHANNELS.store);

/** True while anybody listens. Asked before each observation, so that one that nobody hears of costs nothing more. */
export function isWatched({ start, end, asyncStart, asyncEnd, error }: ObservedChannel): boolean {
  return (
    start.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    error.hasSubscribers ||
    end.hasSubscribers ||
    asyncStart.hasSubscribers
  );
}

/**
 * Runs something under a channel: `start`, `end` when it first waits, `error` if it rejects, `asyncStart` and `asyncEnd`
 * when it is over. Stores that are bound to `start` hold for all that it does. Unlike `tracePromise` it hands out no
 * result, which may hold secrets. `run` adds the outcome to the attributes.
 */
export function observed<T>(
  channel: ObservedChannel,
  observation: Observation,
  clock: Pick<Clock, "monotonicMs">,
  run: () => Promise<T>,
): Promise<T> {
  const startedMs = clock.monotonicMs();
  return channel.start.runStores(observation, () => {
    const outcome = settle();
    channel.end.publish(observation);
    return outcome;
  });

  async function settle(): Promise<T> {
    try {
      return await run();
    } catch (error) {
      observation.error = error;
      observation.attributes["error.type"] = errorTypeOf(error);
      channel.error.publish(observation);
      throw error;
    } finally {
      observation.durationMs = clock.monotonicMs() - startedMs;
      channel.asyncStart.publish(observation);
      channel.asyncEnd.publish(observation);
    }
  }
}

function errorTypeOf(error: unknown): string {
  return error instanceof Error ? error.name : "_OTHER";
}
