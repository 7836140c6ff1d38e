import type { Call, CallOptions } from "./call.js";
import type { PublicAnswer, PublicBudget } from "./schemas.js";
import type { Transport } from "./transport.js";

/** What whoever has the token of a public link may do. Needs no credential. */
export interface PublicLinks {
  /** The budget as its customer may see it. */
  open(token: string, options?: CallOptions): Call<PublicBudget>;
  /** Accepts the version that was shown; `CONFLICT` when the budget has changed since. */
  accept(token: string, answer: PublicAnswer, options?: CallOptions): Call<PublicBudget>;
  /** Declines the version that was shown; `CONFLICT` when the budget has changed since. */
  decline(token: string, answer: PublicAnswer, options?: CallOptions): Call<PublicBudget>;
}

export function createPublicLinks({ send }: Transport): PublicLinks {
  return {
    open: (token, options) => send("openPublicLink", { path: { token } }, options),
    accept: (token, body, options) => send("acceptPublicBudget", { path: { token }, body }, options),
    decline: (token, body, options) => send("declinePublicBudget", { path: { token }, body }, options),
  };
}
