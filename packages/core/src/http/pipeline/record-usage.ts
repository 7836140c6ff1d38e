import type { RouteLabel } from "../../usage/usage.js";
import type { Route } from "../route.js";
import type { RouteMatch } from "../router.js";
import { type Exchange, knownMethodOf } from "./exchange.js";

/** Counts a request of an API key for the usage statistics. Other requests are not counted. */
export function recordUsage(exchange: Exchange, match: RouteMatch<Route>, status: number): void {
  const { context, key, rate, now } = exchange;
  if (key === null) return;
  context.usage.recorder.record({
    businessId: key.businessId,
    keyId: key.id,
    route: match.kind === "found" ? labelOf(match.route) : unroutedLabel(exchange),
    at: now,
    status,
    isRefusal: rate !== null && rate.refusal !== null,
    durationMs: context.clock.monotonicMs() - exchange.startedMs,
  });
}

/** An alias counts as its route, and HEAD as GET. */
function labelOf({ method, paths }: Route): RouteLabel {
  return { method, path: paths[0] };
}

/** Unknown paths share one label per method, so that a client cannot add rows to the statistics. */
function unroutedLabel(exchange: Exchange): RouteLabel {
  return { method: knownMethodOf(exchange, "OTHER"), path: "(no route)" };
}
