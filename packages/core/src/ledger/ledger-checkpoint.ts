import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, refuseUnlessReader } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import type { FlattenedJws } from "../signing/signing-keys.js";
import type { LedgerPosition, LedgerStore } from "./ledger-store.js";

/** A signed checkpoint of the ledger. */
export const checkpointSchema = z
  .object({
    /** Base64url of the canonical JSON: the last entry, by its sequence and hash, and the time. */
    payload: z
      .string()
      .describe("Base64url of the canonical JSON: the last entry, by its sequence and hash, and the time."),
    /** Base64url of the header: the algorithm, EdDSA, and the id of the key. */
    protected: z.string().describe("Base64url of the header: the algorithm, EdDSA, and the id of the key."),
    /** Base64url of the signature. */
    signature: z.string(),
  })
  .meta({
    id: "LedgerCheckpoint",
    description: "A JWS in the flattened JSON form. Its keys are at /.well-known/jwks.json.",
  });

export const CHECKPOINT_TYPE = "budgetkit.ledger.v1";

export interface CheckpointContext {
  readonly store: Pick<LedgerStore, "findLedgerBounds">;
  readonly sign: (value: unknown) => Promise<FlattenedJws>;
  readonly publicBaseUrl: string;
}

type Signer = Pick<CheckpointContext, "sign" | "publicBaseUrl">;

/** Signs that retention has removed the entries up to this one: no checkpoint of a last entry excuses that they are gone. */
export function signRemoval({ sign, ...context }: Signer, ...position: Position): Promise<FlattenedJws> {
  return sign({ ...claimsOf(context, ...position), removed: true });
}

type Position = [businessId: string, last: LedgerPosition, now: Instant];

/** Says that an entry was the last one of a business at a time. */
function claimsOf({ publicBaseUrl }: Omit<Signer, "sign">, ...[businessId, { sequence, hash }, now]: Position) {
  return { type: CHECKPOINT_TYPE, issuer: publicBaseUrl, businessId, sequence, hash, at: toTimestamp(now) };
}

/** A signed checkpoint of the last entry of the business. Errors: forbidden for a key or a customer. */
export async function getCheckpoint(
  context: CheckpointContext,
  actor: Actor,
  now: Instant,
): Promise<Result<FlattenedJws, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const { head } = await context.store.findLedgerBounds(actor.businessId);
  return ok(await context.sign(claimsOf(context, actor.businessId, head, now)));
}
