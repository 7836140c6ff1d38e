import type { Call, CallOptions } from "./call.js";
import type { PublicAnswer, PublicBudget, Reminders } from "./schemas.js";
import type { Transport } from "./transport.js";

/** Access to a budget by the token of its public link. Needs no credential. */
export interface PublicLinks {
  /** The budget as its customer sees it. */
  open(token: string, options?: CallOptions): Call<PublicBudget>;
  /** Whether the customer gets reminders of the business. */
  readReminders(token: string, options?: CallOptions): Call<Reminders>;
  /** Ends the reminders of the business to the customer. */
  stopReminders(token: string, options?: CallOptions): Call<Reminders>;
  /** Accepts a version of the budget; `CONFLICT` if the budget has changed since. */
  accept(token: string, answer: PublicAnswer, options?: CallOptions): Call<PublicBudget>;
  /** Declines a version of the budget; `CONFLICT` if the budget has changed since. */
  decline(token: string, answer: PublicAnswer, options?: CallOptions): Call<PublicBudget>;
}

export function createPublicLinks({ send }: Transport): PublicLinks {
  return {
    open: (token, options) => send("openPublicLink", { path: { token } }, options),
    readReminders: (token, options) => send("readReminders", { path: { token } }, options),
    stopReminders: (token, options) => send("stopReminders", { path: { token }, body: {} }, options),
    accept: (token, body, options) => send("acceptPublicBudget", { path: { token }, body }, options),
    decline: (token, body, options) => send("declinePublicBudget", { path: { token }, body }, options),
  };
}
