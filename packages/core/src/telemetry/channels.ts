import { tracingChannel } from "node:diagnostics_channel";
import type { Clock } from "../kernel/clock.js";

/** Named by OpenTelemetry's semantic conventions; other names begin with `budgetkit.`. */
export type Attributes = Record<string, string | number>;

/** The message of a channel. Subscribers get the same object from start to end. */
export interface Observation {
  /** At the end they include the outcome. They never hold a credential, a body or a query. */
  readonly attributes: Attributes;
  /** Null until the end. */
  durationMs: number | null;
  /** The thrown value; a refused request is not an error. */
  error?: unknown;
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

/** True while the channel has subscribers. Without subscribers callers skip the observation. */
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
 * Runs `run` and publishes `start`, `end` (at its first await), `error` (if it rejects), `asyncStart` and `asyncEnd`.
 * AsyncLocalStorage bound to `start` applies to the whole run. Unlike `tracePromise` it publishes no result, which may
 * hold secrets. `run` adds the outcome to the attributes.
 */
export function observed<T>(
  channel: ObservedChannel,
  observation: Observation,
  clock: Pick<Clock, "monotonicMs">,
  run: () => Promise<T>,
): Promise<T> {
  const startedMs = clock.monotonicMs();
  return channel.start.runStores(observation, () => {
    const outcome = report();
    channel.end.publish(observation);
    return outcome;
  });

  async function report(): Promise<T> {
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
