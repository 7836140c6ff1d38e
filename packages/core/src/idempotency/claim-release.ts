import type { Claim, IdempotencyStore } from "./idempotency-store.js";

/** Gives claims up whose requests had no effect, so that the next request under their key has its chance. */
export interface ClaimRelease {
  /** Never rejects: a claim that cannot be given up now is kept. */
  release(claim: Claim, requestId: string): Promise<void>;
  /** To be given up later. */
  keep(claim: Claim): void;
  /** Gives up what is kept under the key of a claim; false when nothing was, or when it could not be. */
  releaseKept(claim: Claim): Promise<boolean>;
  /** Gives up all that is kept. Rejects when the store fails; what is left is kept. */
  releaseAll(): Promise<void>;
}

/** Beyond so many the oldest are left to lapse. */
const MAX_KEPT = 10_000;

/**
 * A store that was away when a request failed is often away when its claim is to be given up: without this the key would
 * be in use until the claim lapses, though nobody is at work on it. Whether the claim was written, and whether its effect
 * was, need not be known: only one without an effect can be given up.
 */
export function createClaimRelease(
  idempotency: Pick<IdempotencyStore, "releaseClaim">,
  onError: (error: unknown, requestId: string) => void,
): ClaimRelease {
  const kept = new Map<string, Claim>(); // by business and key

  const giveUp = ({ businessId, key, claimId }: Claim) => idempotency.releaseClaim(businessId, key, claimId);

  function keep(claim: Claim): void {
    kept.set(nameOf(claim), claim);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
  }

  async function giveUpKept(claim: Claim): Promise<void> {
    await giveUp(claim);
    if (kept.get(nameOf(claim)) === claim) kept.delete(nameOf(claim));
  }

  return {
    keep,
    release: async (claim, requestId) => {
      try {
        await giveUp(claim);
      } catch (error) {
        keep(claim);
        onError(error, requestId);
      }
    },
    releaseKept: async (claim) => {
      const known = kept.get(nameOf(claim));
      if (known === undefined) return false;
      return giveUpKept(known).then(
        () => true,
        () => false,
      );
    },
    releaseAll: async () => {
      for (const claim of [...kept.values()]) await giveUpKept(claim);
    },
  };
}

function nameOf({ businessId, key }: Claim): string {
  return `${businessId} ${key}`;
}
