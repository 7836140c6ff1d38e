import { channel } from "node:diagnostics_channel";
import type { Observation } from "../telemetry/channels.js";

/** Collects the messages at the end of each call on a tracing channel; `atEnd` receives the unsubscribe function. */
export function watch(name: string, atEnd: (stop: () => void) => void): { readonly ended: readonly Observation[] } {
  const ended: Observation[] = [];
  const listener = (message: unknown): void => {
    ended.push(message as Observation);
  };
  const end = channel(`tracing:${name}:asyncEnd`);
  end.subscribe(listener);
  atEnd(() => end.unsubscribe(listener));
  return { ended };
}
