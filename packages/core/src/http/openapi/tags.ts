import type { Route } from "../route.js";

const BUDGETS = /^\/api\/(public\/)?budgets(\/|$)(?!.*\/(attachments|messages|payments|revisions)(\/|$))/;

/** The groups of the document, in order. A route belongs to the first group whose pattern matches its path. */
const TAGS: readonly (readonly [name: string, path: RegExp, description: string])[] = [
  ["Budgets", BUDGETS, "Quotes: items, totals, status, public links."],
  ["Attachments", /\/attachments(\/|$)/, "Files of a budget."],
  ["Messages", /^\/api\/public\/.*\/messages$/, "The conversation with the customer about a budget."],
  ["Payments", /\/payments$/, "Payments towards a budget."],
  ["Revisions", /\/revisions(\/|$)/, "Earlier versions of a budget, and the changes between them."],
  ["Customers", /^\/api\/public\/customers/, "The customers of budgets."],
  ["Products", /^\/api\/public\/products/, "The products of budgets, with variants."],
  ["Packages", /^\/api\/public\/packages/, "Products offered together."],
  ["Public links", /^\/p\//, "Read, accept or decline a budget by its link, without a credential."],
  ["Sessions", /^\/auth\//, "Login, refresh and logout; the own password, email and second factor."],
  ["Statistics", /\/stats$|\/sales$/, "Usage of keys, and figures of the business."],
  ["Webhooks", /webhook|\/deliveries|\/recover$/, "Webhook endpoints, their secrets, deliveries and tests."],
  ["API keys", /^\/api-keys/, "Credentials for programs."],
  ["Integrations", /\/integrations/, "Records of connected systems."],
  ["Users", /^\/api\/developer\/users/, "The users of the business: invitations, roles, access."],
  ["Business", /^\/api\/developer\/business/, "How the business presents itself to its customers."],
  ["Events", /\/events$/, "The event log of the business."],
  [
    "Interface",
    /^\/(openapi\.json|\.well-known\/.*)?$/,
    "Version and description of the interface, and its public keys.",
  ],
];

/** Throws an Error for a path that matches no group. */
export function tagOf({ paths: [path] }: Pick<Route, "paths">): string {
  const found = TAGS.find(([, pattern]) => pattern.test(path));
  if (found === undefined) throw new Error(`no tag for ${path}`);
  return found[0];
}

export const tags = TAGS.map(([name, , description]) => ({ name, description }));
