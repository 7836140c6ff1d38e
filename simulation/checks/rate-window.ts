import { Violation } from "../engine/violation.js";
import { MOST_SKEW_MS } from "../world/kinds.js";
import { LIMIT_PER_HOUR, type Tenant } from "../world/tenants.js";
import type { World } from "../world/world.js";

const HOUR_MS = 3_600_000;

/** No hour has more admitted requests than the key allows, and no request is refused below that. */
export function checkWindow({ exchanges }: World, tenant: Tenant): void {
  const sent = exchanges.filter(({ as }) => as === tenant.limited);
  const admitted = sent.filter(({ status }) => status !== null && status !== 429 && status !== 503 && status !== 401);
  const windowMs = HOUR_MS - 2 * MOST_SKEW_MS;
  for (const { startAt } of admitted) {
    const within = admitted.filter((each) => each.startAt >= startAt && each.endAt < startAt + windowMs);
    if (within.length > LIMIT_PER_HOUR) {
      throw new Violation("a window never admits too many", `${within.length} within an hour, of ${LIMIT_PER_HOUR}`);
    }
  }
  for (const refused of sent.filter(({ status }) => status === 429)) {
    const since = refused.startAt - HOUR_MS - 2 * MOST_SKEW_MS;
    const possible = sent.filter((each) => each.status !== 429 && each.endAt >= since && each.startAt <= refused.endAt);
    if (possible.length < LIMIT_PER_HOUR) {
      throw new Violation(
        "a window has room until it is full",
        `refused after ${possible.length} of ${LIMIT_PER_HOUR}`,
      );
    }
  }
}
