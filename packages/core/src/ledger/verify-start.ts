import { z } from "zod";
import type { LedgerStart } from "./ledger-store.js";
import { openStatement, type StatementContext } from "./own-signature.js";
import type { LedgerFault } from "./verify-ledger.js";

export const CHECKPOINT_TYPE = "budgetkit.ledger.v1";

const claimsSchema = z.object({
  type: z.literal(CHECKPOINT_TYPE),
  businessId: z.string(),
  sequence: z.number(),
  hash: z.string().nullable(),
  removed: z.boolean().optional(),
});

/** Verifies that the service has removed the entries before the start: only it can have signed their checkpoint. */
export async function verifyStart(
  context: StatementContext,
  businessId: string,
  start: LedgerStart | null, // null = nothing was removed
): Promise<LedgerFault | null> {
  if (start === null) return null;
  const wrong = await mistakeIn(context, businessId, start);
  if (wrong === null) return null;
  return { kind: "removed", sequence: start.sequence, says: `the checkpoint of the removed entries ${wrong}` };
}

async function mistakeIn(
  context: StatementContext,
  businessId: string,
  { checkpoint, sequence, hash }: LedgerStart,
): Promise<string | null> {
  const opened = await openStatement(context, checkpoint);
  if ("wrong" in opened) return opened.wrong;
  const { data: signed } = claimsSchema.safeParse(opened.claims);
  if (signed?.businessId !== businessId || signed.sequence !== sequence || signed.hash !== hash) {
    return "is of another entry";
  }
  return signed.removed === true ? null : "does not say that retention removed them";
}
