import type { SecretBox } from "../kernel/secret-box.js";
import type { Claim, IdempotencyRecord } from "./idempotency-store.js";

/** The claim of an Idempotency-Key that a request holds, until a commit completes it. */
export class HeldClaim {
  #isCompleted = false;

  constructor(
    private readonly claim: Claim,
    private readonly box: SecretBox,
  ) {}

  /** True = a commit has completed the claim, so there is nothing to release. */
  get isCompleted(): boolean {
    return this.#isCompleted;
  }

  /** The record that completes the claim with the result of an operation, encrypted. */
  recordOf(result: unknown): IdempotencyRecord {
    const { businessId, key, claimId } = this.claim;
    const response = this.box.seal(JSON.stringify({ result }), bindingOf(this.claim));
    return { businessId, key, claimId, response };
  }

  noteCompleted(): void {
    this.#isCompleted = true;
  }
}

/** What a commit needs of the claim that it completes. */
export type ClaimToComplete = Pick<HeldClaim, "recordOf" | "noteCompleted">;

/** Binds an encrypted result to the key that it answers. */
export function bindingOf({ businessId, key }: Pick<Claim, "businessId" | "key">): string {
  return `idempotency-result:${businessId}:${key}`;
}

/** Of records of earlier releases, which hold a whole response. They cannot open a result, and answer with a conflict. */
export function formerBindingOf({ businessId, key }: Pick<Claim, "businessId" | "key">): string {
  return `idempotency:${businessId}:${key}`;
}
