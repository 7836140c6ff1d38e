import type { RunningServer } from "./server.js";
import { approval, walkthrough } from "./walkthrough.js";

/** What is printed when the server serves: the addresses, and on the first start how to go on from there. */
export function announcement({ url, publicUrl, referenceUrl, firstOwner }: RunningServer): string {
  const links = publicUrl === url ? "" : `\nPublic links lead to ${publicUrl}`;
  const page = referenceUrl === null ? "" : `; to be read and tried in a browser with a key: ${referenceUrl}`;
  const address = `Budgetkit listens on ${url}${links}\nThe interface is at ${url}/v1${page}`;
  if (firstOwner === null) return address;
  const { businessId, email, newPassword } = firstOwner;
  const password = newPassword === null ? "that of BUDGETKIT_ADMIN_PASSWORD" : `${newPassword} (this is shown once)`;
  const hint = newPassword === null ? ", where BUDGETKIT_ADMIN_PASSWORD is set as well" : "";
  return `${address}

First start: the business ${businessId} was made, and its owner, who logs in with
  email     ${email}
  password  ${password}

To try it, paste these lines into a shell${hint}. They make an API key, a budget and a link to it:

${walkthrough(url, firstOwner)}

The link shows the budget as its customer sees it; accept it there. To approve it yourself instead, paste this as well:

${approval}
`;
}
