import type { Problem } from "../kernel/problem.js";

/** What an operation answers when another request holds its idempotency key by now: nothing was written. */
export const receiptLost: Problem = {
  kind: "conflict",
  message: "Another request with this idempotency key is under way.",
  details: {},
};
