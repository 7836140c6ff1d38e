import type { Call, CallOptions } from "./call.js";
import type { Operations } from "./operations.js";
import type { Login, LoginAnswer } from "./schemas.js";
import type { Transport } from "./transport.js";

/** Logins with email and password, where the host has no login of its own. */
export interface Auth {
  /** Gives an `access_token` for the client's `accessToken`, and a `refresh_token` for the next one. */
  login(input: Login, options?: CallOptions): Call<LoginAnswer>;
  /** Trades a refresh token, which is good once, for new tokens. */
  refresh(refreshToken: string, options?: CallOptions): Call<LoginAnswer>;
  /** Ends the session of the client's `accessToken` at once. */
  logout(options?: CallOptions): Call<Operations["logout"]["answer"]>;
}

export function createAuth({ send }: Transport): Auth {
  return {
    login: (body, options) => send("login", { body }, options),
    refresh: (refreshToken, options) => send("refreshSession", { body: { refresh_token: refreshToken } }, options),
    logout: (options) => send("logout", {}, options),
  };
}
