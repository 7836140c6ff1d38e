import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import type { Instant } from "../../kernel/clock.js";
import { budgetPage, type PageParts, pathOf } from "./budget-page.js";
import type { HtmlPage } from "./html.js";
import { type LanguageWishes, pageLanguage } from "./page-language.js";
import type { PublicPageOptions, RenderedPage } from "./page-options.js";

/** The page of the host's renderer with the headers of the service, else the page of the service. */
export async function publicPage(
  view: PublicBudgetView,
  wishes: Omit<LanguageWishes, "own">,
  now: Instant,
  shows: PageParts,
  options: PublicPageOptions,
): Promise<HtmlPage> {
  const { renderPublicBudget: render } = options;
  const path = pathOf(view);
  const query = shows.channel == null ? "" : `?c=${encodeURIComponent(shows.channel)}`;
  const language = pageLanguage({ ...wishes, own: view.business.locale });
  const rendered = (await render?.(view, { language, path, seenPath: `${path}/seen.svg${query}` })) ?? null;
  const page = budgetPage(view, wishes, now, shows, options);
  if (rendered === null) return page;
  const { html, contentSecurityPolicy }: RenderedPage = typeof rendered === "string" ? { html: rendered } : rendered;
  const own = contentSecurityPolicy === undefined ? {} : { "content-security-policy": contentSecurityPolicy };
  return { markup: html, headers: { ...page.headers, ...own } };
}
