import { PasswordScreen } from "../screens/login/password-screen.js";
import { mount } from "../start/mount.js";

const PASSWORD = `${mount.base}/password`;

/** Addresses for people who have no session yet: the link of an invitation or of a reset. */
export function isOpenAddress(): boolean {
  return location.pathname === PASSWORD;
}

/** The token stands behind the `#`, which browsers do not send: no server and no proxy sees it. */
export function OpenScreens() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  return <PasswordScreen token={token} />;
}
