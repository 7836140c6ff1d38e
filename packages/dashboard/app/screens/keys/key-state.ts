import type { ApiKey } from "@budgetkit/client";

/** A key that has ended by itself keeps its status; for people it is a state of its own. */
export type KeyState = ApiKey["status"] | "EXPIRED";

export function stateOf({ status, expiresAt }: Pick<ApiKey, "status" | "expiresAt">, nowMs: number): KeyState {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  return isOver && status !== "REVOKED" ? "EXPIRED" : status;
}

export const TONES = { ACTIVE: "good", SUSPENDED: "warn", REVOKED: "quiet", EXPIRED: "bad" } as const;
