import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { PAGE_LANGUAGES, type PageLanguage } from "./page-language.js";
import type { TextsByLanguage } from "./page-words.js";

/** Changes of the customer's page, for all businesses of the service. */
export interface PublicPageOptions {
  /** Texts that replace those of the page, by language. */
  readonly words?: TextsByLanguage;
  /** Values of the page's style. */
  readonly style?: PublicPageStyle;
  /** Renders the page in the host's own way; null = the page of the service. */
  readonly renderPublicBudget?: RenderPublicBudget;
}

export interface PublicPageStyle {
  /** `#rrggbb`, of businesses that have chosen no color. It is darkened or lightened where it would not be readable. */
  readonly accentColor?: string;
  /** Names of installed fonts, such as `"Georgia, serif"`. */
  readonly font?: string;
  /** The radius of corners, such as `0px` or `.5rem`. */
  readonly radius?: string;
  /** The largest width of the content, such as `46rem`. */
  readonly width?: string;
}

/**
 * Returns a whole HTML document, or null for the page of the service. It escapes the texts of the view itself. The
 * response has the headers of the page; its Content-Security-Policy allows images, scripts and forms of the service
 * alone, unless the renderer returns its own.
 */
export type RenderPublicBudget = (
  view: PublicBudgetView,
  context: PublicPageContext,
) => RenderedPage | string | null | Promise<RenderedPage | string | null>;

export interface RenderedPage {
  /** The document. */
  readonly html: string;
  /** Replaces the header of the page. */
  readonly contentSecurityPolicy?: string;
}

export interface PublicPageContext {
  /** The language that the link, the browser or the business asks for. */
  readonly language: PageLanguage;
  /** The path of the link: forms post to `accept`, `decline`, `request-change` and `messages` below it. */
  readonly path: string;
  /** The address of the image that counts the view. */
  readonly seenPath: string;
}

const LENGTH = /^(?:\d{1,4}|\d{0,4}\.\d{1,4})(?:px|rem|em)$/;
const VALUES: Readonly<Record<keyof PublicPageStyle, RegExp>> = {
  accentColor: /^#[0-9a-f]{6}$/i,
  font: /^[\w "',-]{1,200}$/,
  radius: LENGTH,
  width: LENGTH,
};

/** Throws a RangeError for a value that could not stand in a style, and for an unknown language. */
export function checkedPublicPage(options: PublicPageOptions): PublicPageOptions {
  const { style = {}, words = {} } = options;
  for (const [name, pattern] of Object.entries(VALUES)) {
    const value: unknown = Object(style)[name];
    if (value === undefined || (typeof value === "string" && pattern.test(value))) continue;
    throw new RangeError(`publicPage.style.${name} is not valid: ${String(value)}`);
  }
  const unknown = Object.keys(words).find((language) => !PAGE_LANGUAGES.some((known) => known === language));
  if (unknown === undefined) return options;
  throw new RangeError(`publicPage.words has no language ${unknown}; it has ${PAGE_LANGUAGES.join(", ")}`);
}

/** The custom properties of a style. */
export function propertiesOf({ font, radius, width }: PublicPageStyle): string {
  const given = Object.entries({ font, radius, width }).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `:root{${given.map(([name, value]) => `--${name}:${value}`).join(";")}}`;
}
