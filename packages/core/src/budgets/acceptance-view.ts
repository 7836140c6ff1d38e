import { z } from "zod";
import { toTimestamp } from "../kernel/clock.js";
import { timestampView } from "../kernel/fields.js";
import type { Acceptance } from "./budget.js";

export const acceptanceView = z
  .object({
    /** ISO 8601, in UTC. */
    acceptedAt: timestampView,
    /** Who accepted: `customer:` and the name. */
    acceptedBy: z.string(),
  })
  .meta({ id: "Acceptance", description: "The customer's acceptance, which waits for the minimum payment." });
type AcceptanceView = z.infer<typeof acceptanceView>;

/** Null = no acceptance waits for payments. */
export function acceptanceViewOf(acceptance: Acceptance | null): AcceptanceView | null {
  if (acceptance === null) return null;
  return { acceptedAt: toTimestamp(acceptance.acceptedAt), acceptedBy: acceptance.acceptedBy };
}
