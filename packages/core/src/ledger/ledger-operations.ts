import type { Actor } from "../kernel/actor.js";
import type { Call } from "../kernel/call.js";
import type { Clock } from "../kernel/clock.js";
import type { BeginningContext } from "./chain-beginning.js";
import type { KnownEntry, LedgerCheckContext } from "./check-ledger.js";
import type { CheckpointContext } from "./ledger-checkpoint.js";

export interface LedgerContext extends CheckpointContext, LedgerCheckContext, BeginningContext {
  readonly store: LedgerCheckContext["store"] & BeginningContext["store"];
  readonly clock: Clock;
}

/** The ledger: the events and audit entries of a business, each chained to the one before. Its code loads when used. */
export function createLedgerOperations(context: LedgerContext, call: Call) {
  return {
    /**
     * Verifies the entries of a business, for the operator. `known` is an entry of which a signed checkpoint was kept
     * elsewhere: it shows what was changed together with its hashes and counters.
     */
    check: (businessId: string, known: KnownEntry | null = null) =>
      call.plain(null, async () => (await import("./check-ledger.js")).checkLedger(context, businessId, known)),
    /**
     * Signs where the chains begin that an upgrade has recorded for ledgers with entries from before the chain: of one
     * business, or of all. A check refuses what is not signed, and no start signs. Call it once after an upgrade, and
     * never for a ledger that was made since: you vouch for the record. After `signingKeys.rotate()` it signs anew, with
     * the current key, what a former one has signed. With `again` also what cannot be verified because the secret of its
     * key is gone.
     */
    signBeginnings: (businessId: string | null = null, { again = false }: { readonly again?: boolean } = {}) =>
      call.plain(null, async () =>
        (await import("./chain-beginning.js")).signBeginnings(context, { businessId, isAgain: again }),
      ),
    /** A signed checkpoint of the last entry of the actor's business. */
    checkpoint: (actor: Actor) =>
      call.plain(actor, async () =>
        (await import("./ledger-checkpoint.js")).getCheckpoint(context, actor, context.clock.now()),
      ),
  };
}
export type LedgerOperations = ReturnType<typeof createLedgerOperations>;
