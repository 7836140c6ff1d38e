export type BusinessTab = "profile" | "taxes" | "numbers" | "languages" | "notifications" | "terms";

/** What the address of the screen says, read from text that may have been typed. */
export interface BusinessSearch {
  /** Default: the profile. */
  readonly tab?: BusinessTab | undefined;
}

export const BUSINESS_TABS: readonly BusinessTab[] = [
  "profile",
  "taxes",
  "numbers",
  "languages",
  "notifications",
  "terms",
];

export function readBusinessSearch(search: Record<string, unknown>): BusinessSearch {
  const tab = BUSINESS_TABS.find((each) => each === search.tab);
  return tab === undefined ? {} : { tab };
}
