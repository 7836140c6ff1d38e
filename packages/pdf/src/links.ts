/** What the store holds is an address, which core has checked. A text of another origin gets no link. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** The address of a website for a link; null = not one of http or https. */
export function websiteLink(website: string): string | null {
  if (!/^https?:\/\//i.test(website) || !URL.canParse(website)) return null;
  return new URL(website).href;
}

/** The link that writes a mail; null = not an address. A local part may have characters that separate parts of a URL. */
export function mailLink(email: string): string | null {
  return ADDRESS.test(email) ? `mailto:${encodeURIComponent(email).replace("%40", "@")}` : null;
}
