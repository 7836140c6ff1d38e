import { channel } from "node:diagnostics_channel";
import { onTestFinished } from "vitest";
import type { Observation } from "../telemetry/channels.js";

/** Everything that a tracing channel tells at the end of what it observes, until the end of the test. */
export function watch(name: string): { readonly ended: readonly Observation[] } {
  const ended: Observation[] = [];
  const listener = (message: unknown): void => {
    ended.push(message as Observation);
  };
  const end = channel(`tracing:${name}:asyncEnd`);
  end.subscribe(listener);
  onTestFinished(() => {
    end.unsubscribe(listener);
  });
  return { ended };
}
