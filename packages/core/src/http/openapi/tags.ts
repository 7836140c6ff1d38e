import type { Route } from "../route.js";

/** The groups of the document, in their order. A route belongs to the first whose pattern its path fits. */
const TAGS: readonly (readonly [name: string, path: RegExp, description: string])[] = [
  ["Interface", /^\/(openapi\.json)?$/, "What the interface is."],
  ["Attachments", /\/attachments(\/|$)/, "Files beside a budget."],
  ["Payments", /\/payments$/, "Money that came in for a budget."],
  ["Revisions", /\/revisions(\/|$)/, "What a budget was before, and what changed."],
  ["Budgets", /^\/api\/(public\/)?budgets(\/|$)/, "Quotes: items, totals, states, public links."],
  ["Customers", /^\/api\/public\/customers/, "Whom budgets are for."],
  ["Products", /^\/api\/public\/products/, "What budgets offer, with variants."],
  ["Packages", /^\/api\/public\/packages/, "Products that are offered together."],
  ["Public links", /^\/p\//, "What whoever has a link may see and answer, without a credential."],
  ["Sessions", /^\/auth\//, "Login, refresh and logout."],
  ["Statistics", /\/stats$/, "How keys are used, and how the business is doing."],
  ["Webhooks", /webhook|\/deliveries|\/recover$/, "Endpoints of callbacks, their secrets, deliveries and tests."],
  ["API keys", /^\/api-keys/, "Credentials of programs."],
  ["Integrations", /\/integrations/, "Records of what is connected."],
  ["Events", /\/events$/, "What happened in the business."],
];

/** Throws an Error for a path that belongs to no group. */
export function tagOf({ paths: [path] }: Pick<Route, "paths">): string {
  const found = TAGS.find(([, pattern]) => pattern.test(path));
  if (found === undefined) throw new Error(`no tag for ${path}`);
  return found[0];
}

export const tags = TAGS.map(([name, , description]) => ({ name, description }));
