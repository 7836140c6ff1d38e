import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, refuseUnlessReader } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import type { FlattenedJws } from "../signing/signing-keys.js";
import { verifyBeginning } from "./chain-beginning.js";
import { beginningOf, chainRuleOf } from "./chain-rule.js";
import type { LedgerPosition, LedgerStore } from "./ledger-store.js";
import type { StatementContext, StatementSigner } from "./own-signature.js";
import { CHECKPOINT_TYPE, verifyStart } from "./verify-start.js";

/** A signed checkpoint of the ledger. */
export const checkpointSchema = z
  .object({
    /** Base64url of the canonical JSON: the last entry, by its sequence and hash, the first entry of the chain, and the time. */
    payload: z
      .string()
      .describe(
        "Base64url of the canonical JSON: the last entry, by its sequence and hash, the first entry of the chain, and the time.",
      ),
    /** Base64url of the header: the algorithm, EdDSA, and the id of the key. */
    protected: z.string().describe("Base64url of the header: the algorithm, EdDSA, and the id of the key."),
    /** Base64url of the signature. */
    signature: z.string(),
  })
  .meta({
    id: "LedgerCheckpoint",
    description: "A JWS in the flattened JSON form. Its keys are at /.well-known/jwks.json.",
  });

export interface CheckpointContext extends StatementContext, StatementSigner {
  readonly store: Pick<LedgerStore, "findLedgerBounds"> & StatementContext["store"];
}

/** Signs that retention has removed the entries up to this one: no checkpoint of a last entry excuses that they are gone. */
export function signRemoval({ sign, ...context }: StatementSigner, ...position: Position): Promise<FlattenedJws> {
  return sign({ ...claimsOf(context, ...position), removed: true });
}

const notSigned: Problem = {
  kind: "conflict",
  message: "The operator has not yet signed where the chain of this ledger begins, which an upgrade has recorded.",
  details: {},
};

/** The last entry, and the first one that the chain proves. */
interface Checkpointed extends LedgerPosition {
  readonly chainedFrom: number;
}

type Position = [businessId: string, last: Checkpointed, now: Instant];

/** Says that an entry was the last one of a business at a time. */
function claimsOf({ publicBaseUrl: issuer }: Omit<StatementSigner, "sign">, ...[businessId, last, now]: Position) {
  const { sequence, hash, chainedFrom } = last;
  return { type: CHECKPOINT_TYPE, issuer, businessId, sequence, hash, chainedFrom, at: toTimestamp(now) };
}

/**
 * A signed checkpoint of the last entry of the business. Errors: forbidden for a key or a customer, conflict until an
 * operator has signed where the chain begins. Throws where the ledger does not start or begin as the service has signed,
 * and for a last entry that lost its hash: a checkpoint would vouch for what someone else has written.
 */
export async function getCheckpoint(
  context: CheckpointContext,
  actor: Actor,
  now: Instant,
): Promise<Result<FlattenedJws, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const { businessId } = actor;
  const bounds = await context.store.findLedgerBounds(businessId);
  const { chainedFrom } = chainRuleOf(bounds);
  const beginning = beginningOf(bounds);
  if (beginning?.statement === null) return err(notSigned);
  const fault =
    (await verifyBeginning(context, businessId, beginning)) ?? (await verifyStart(context, businessId, bounds.start));
  if (fault !== null) throw new Error(`the ledger of the business ${businessId}: ${fault.says}`);
  if (bounds.head.hash === null && bounds.head.sequence >= chainedFrom) {
    throw new Error(`the ledger of the business ${businessId} has lost its last hash: see budgetkit doctor --ledger`);
  }
  return ok(await context.sign(claimsOf(context, businessId, { ...bounds.head, chainedFrom }, now)));
}
