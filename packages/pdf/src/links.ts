const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i;

/** The address of a website for a link; null = not one of http or https. */
export function websiteLink(website: string): string | null {
  if (!/^https?:\/\//i.test(website) || !URL.canParse(website)) return null;
  return new URL(website).href;
}

/** The address for a mail; null = not a plain email address. */
export function mailLink(email: string): string | null {
  return EMAIL.test(email) ? `mailto:${encodeURIComponent(email).replace("%40", "@")}` : null;
}
