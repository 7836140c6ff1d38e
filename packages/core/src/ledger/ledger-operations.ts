import type { Actor } from "../kernel/actor.js";
import type { Call } from "../kernel/call.js";
import type { Clock } from "../kernel/clock.js";
import type { LedgerCheckContext } from "./check-ledger.js";
import type { CheckpointContext } from "./ledger-checkpoint.js";
import type { LedgerPosition } from "./ledger-store.js";

export interface LedgerContext extends CheckpointContext, LedgerCheckContext {
  readonly store: LedgerCheckContext["store"];
  readonly clock: Clock;
}

/** The ledger: the events and audit entries of a business, each chained to the one before. Its code loads when used. */
export function createLedgerOperations(context: LedgerContext, call: Call) {
  return {
    /**
     * Verifies the entries of a business, for the operator. `known` is an entry of which a signed checkpoint was kept
     * elsewhere: it shows what was changed together with its hashes and counters.
     */
    check: (businessId: string, known: LedgerPosition | null = null) =>
      call.plain(null, async () => (await import("./check-ledger.js")).checkLedger(context, businessId, known)),
    /** A signed checkpoint of the last entry of the actor's business. */
    checkpoint: (actor: Actor) =>
      call.plain(actor, async () =>
        (await import("./ledger-checkpoint.js")).getCheckpoint(context, actor, context.clock.now()),
      ),
  };
}
export type LedgerOperations = ReturnType<typeof createLedgerOperations>;
