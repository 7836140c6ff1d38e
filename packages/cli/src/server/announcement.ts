import { ownCommand } from "../terminal/own-command.js";
import type { FirstOwner, FirstPassword } from "./first-start.js";
import type { RunningServer } from "./server.js";
import { approval, walkthrough } from "./walkthrough.js";

export interface Announcement {
  readonly text: string; // for standard output
  readonly login: string | null; // has a password: for standard error on a terminal; null = none
}

/** What is printed once the server serves: its addresses and, on the first start, the login and the next steps. */
export function announcement(server: RunningServer): Announcement {
  const { url, dashboardUrl, firstOwner } = server;
  const addresses = addressesOf(server);
  if (firstOwner === null) return { text: addresses, login: null };
  const login = firstLogin(url, dashboardUrl, firstOwner);
  if (firstOwner.password.kind === "shown") return { text: addresses, login };
  return { text: `${addresses}\n\n${login}`, login: null };
}

function addressesOf({ url, publicUrl, dashboardUrl, referenceUrl }: RunningServer): string {
  const dashboard = dashboardUrl === null ? "" : `\nDashboard, to open in a browser: ${dashboardUrl}`;
  const links = publicUrl === `${url}/v1` ? "" : `\nPublic links lead to ${publicUrl}`;
  const page = referenceUrl === null ? "" : `\nReference, to try with a key: ${referenceUrl}`;
  return `Budgetkit listens on ${url}${dashboard}${links}\nThe API is at ${url}/v1${page}`;
}

function firstLogin(url: string, dashboardUrl: string | null, firstOwner: FirstOwner): string {
  const { businessId, businessName, email, password } = firstOwner;
  const dashboard = dashboardUrl === null ? "" : `\nOpen ${dashboardUrl} in a browser and log in.\n`;
  const hint = password.kind === "given" ? ", where BUDGETKIT_ADMIN_PASSWORD is set as well" : "";
  return `First start: made the business ${businessId} and its owner, who logs in with
  email     ${email}
  password  ${passwordWords(password)}
${dashboard}
Its customers see the name ${businessName}. To change it: ${ownCommand()} business update ${businessId} --name "…"

To try the API, paste these lines into a shell${hint}. They make an API key, a budget and a link to it:

${walkthrough(url, firstOwner)}

The link shows the budget as its customer sees it; accept it there. To approve it yourself instead, paste this as well:

${approval}
`;
}

function passwordWords(password: FirstPassword): string {
  switch (password.kind) {
    case "given":
      return "that of BUDGETKIT_ADMIN_PASSWORD";
    case "file":
      return `in the file ${password.path}; delete it once you have the password`;
    case "shown":
      return `${password.password} (this is shown once)`;
  }
}
