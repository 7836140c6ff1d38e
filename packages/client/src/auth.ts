import type { Call, CallOptions } from "./call.js";
import type { Operations } from "./operations.js";
import type {
  EmailChange,
  Login,
  LoginAnswer,
  NewPassword,
  OwnAccount,
  PasswordChange,
  PasswordResetRequest,
  RecoveryCodes,
  TotpConfirmation,
  TotpEnrolment,
  TotpRemoval,
  TotpSecret,
} from "./schemas.js";
import type { Transport } from "./transport.js";

/** Login with email and password, unless the host has a login of its own. */
export interface Auth {
  /** Returns an `access_token` for the client's `accessToken`, and a `refresh_token` for the next one. */
  login(input: Login, options?: CallOptions): Call<LoginAnswer>;
  /** Exchanges a refresh token for new tokens. A refresh token works once. */
  refresh(refreshToken: string, options?: CallOptions): Call<LoginAnswer>;
  /** Ends the session of the client's `accessToken` immediately. */
  logout(options?: CallOptions): Call<Operations["logout"]["answer"]>;
  /** The account of the caller; with a login of the host, only its id, business and role. */
  account(options?: CallOptions): Call<OwnAccount>;
  /** Changes the user's own password. The other sessions of the user end. */
  changePassword(input: PasswordChange, options?: CallOptions): Call<Message>;
  /** Changes the email by which the user logs in. */
  changeEmail(input: EmailChange, options?: CallOptions): Call<Operations["changeEmail"]["answer"]>;
  /** Requests a mail with a token for `setPassword`. The answer is the same for an unknown email. */
  requestPasswordReset(input: PasswordResetRequest, options?: CallOptions): Call<Message>;
  /** Sets a password with the token of an invitation or a reset. A token works once. */
  setPassword(input: NewPassword, options?: CallOptions): Call<Message>;
  /** Makes the secret of a second factor, which logins ask for after `confirmTotp`. */
  enrolTotp(input: TotpEnrolment, options?: CallOptions): Call<TotpSecret>;
  /** Turns the second factor on with one of its codes, and returns the recovery codes. */
  confirmTotp(input: TotpConfirmation, options?: CallOptions): Call<RecoveryCodes>;
  /** Removes the second factor. */
  disableTotp(input: TotpRemoval, options?: CallOptions): Call<Message>;
}

type Message = Operations["logout"]["answer"];

export function createAuth({ send }: Transport): Auth {
  return {
    login: (body, options) => send("login", { body }, options),
    refresh: (refreshToken, options) => send("refreshSession", { body: { refresh_token: refreshToken } }, options),
    logout: (options) => send("logout", {}, options),
    account: (options) => send("getOwnAccount", {}, options),
    changePassword: (body, options) => send("changePassword", { body }, options),
    changeEmail: (body, options) => send("changeEmail", { body }, options),
    requestPasswordReset: (body, options) => send("requestPasswordReset", { body }, options),
    setPassword: (body, options) => send("setPassword", { body }, options),
    enrolTotp: (body, options) => send("enrolTotp", { body }, options),
    confirmTotp: (body, options) => send("confirmTotp", { body }, options),
    disableTotp: (body, options) => send("disableTotp", { body }, options),
  };
}
