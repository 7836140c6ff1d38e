import type { RouteLabel } from "../usage/usage.js";
import type { Exchange } from "./exchange.js";
import type { Route } from "./route.js";
import type { RouteMatch } from "./router.js";

/** Counts an answered request of a key; of requests without one nothing is recorded. */
export function recordUsage(exchange: Exchange, match: RouteMatch<Route>, status: number): void {
  const { context, key, request, rate, now } = exchange;
  if (key === null) return;
  context.usage.recorder.record({
    businessId: key.businessId,
    keyId: key.id,
    route: match.kind === "found" ? labelOf(match.route) : unroutedLabel(request.method),
    at: now,
    status,
    isRefusal: rate !== null && rate.refusal !== null,
    durationMs: context.clock.monotonicMs() - exchange.startedMs,
  });
}

/** Aliases count as the route that they lead to, and a HEAD as the GET. */
function labelOf({ method, paths }: Route): RouteLabel {
  return { method, path: paths[0] };
}

const NO_ROUTE = "(no route)";
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]);

/** What leads nowhere is one line of the statistics for each method: clients must not be able to invent lines. */
function unroutedLabel(method: string): RouteLabel {
  return { method: METHODS.has(method) ? method : "OTHER", path: NO_ROUTE };
}
