import { useEffect, useState } from "react";
import { PasswordScreen } from "../screens/login/password-screen.js";
import { mount } from "../start/mount.js";

const PASSWORD = `${mount.base}/password`;

/** Addresses for people who have no session yet: the link of an invitation or of a reset. */
export function isOpenAddress(): boolean {
  return location.pathname === PASSWORD;
}

/**
 * The token stands behind the `#`, which browsers do not send: no server and no proxy sees it. Once it is read, neither the
 * address nor the history has it.
 */
export function OpenScreens() {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token") ?? "");
  useEffect(() => history.replaceState(null, "", location.pathname), []);
  return <PasswordScreen token={token} />;
}
