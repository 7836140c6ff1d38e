/** The address of a website for a link; null = not one of http or https. */
export function websiteLink(website: string): string | null {
  if (!/^https?:\/\//i.test(website) || !URL.canParse(website)) return null;
  return new URL(website).href;
}

/** The link that writes a mail. A local part may have characters that separate the parts of a URL. */
export function mailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}
