import type { RateLimitStore } from "@budgetkit/core/store";

/** What the files of the rate-limit suite write their cases with. */
export interface RateLimitCases {
  readonly prunes: boolean;
  describe(name: string, body: () => void): void;
  it(name: string, body: (limits: RateLimitStore) => Promise<void>): void;
  itDurably(name: string, body: (limits: RateLimitStore, reopen: () => Promise<RateLimitStore>) => Promise<void>): void;
}
