import { domainToASCII } from "node:url";

/** A character beyond ASCII, unless it cannot be seen. */
const BEYOND_ASCII = String.raw`[^\0-\x7f\p{C}\p{Z}]`;
const CHARACTER = String.raw`(?:[\w!#$%&'*+/=?^{|}~\x60\-]|${BEYOND_ASCII})`;
const LOCAL_PART = new RegExp(String.raw`^${CHARACTER}+(?:\.${CHARACTER}+)*$`, "u");

const LABEL = String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N}\-]*(?<!-)`;
const DOMAIN = new RegExp(String.raw`^(?:${LABEL}\.)+${LABEL}$`, "u");
const ASCII_DOMAIN = /^[\0-\x7f]*$/;
const LAST_LABEL = /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)$/i;
const MAX_LABEL = 63; // in ASCII: RFC 1035, section 2.3.4

/**
 * True for an address that a mail server of the internet can have, letters of every script included: `jörg@müller.example`.
 * Quoted local parts and numeric hosts are none. Source: RFC 5321, section 4.1.2, with RFC 6531, section 3.3.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  const domain = text.slice(at + 1);
  return at > 0 && LOCAL_PART.test(text.slice(0, at)) && DOMAIN.test(domain) && isHostName(asciiOf(domain));
}

/** `domain` is in ASCII. */
function isHostName(domain: string): boolean {
  return LAST_LABEL.test(domain) && domain.split(".").every((label) => label.length <= MAX_LABEL);
}

/** The form by which addresses are the same login: composed, in lower case, with the domain in ASCII. */
export function emailKeyOf(email: string): string {
  const key = email.normalize("NFC").toLowerCase();
  const at = key.lastIndexOf("@");
  const domain = key.slice(at + 1);
  return `${key.slice(0, at + 1)}${asciiOf(domain) || domain}`;
}

/** The link that writes a mail. A local part may have characters that separate the parts of a URL. */
export function mailLinkOf(email: string): string {
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}

/** "" for a domain that is none. */
function asciiOf(domain: string): string {
  return ASCII_DOMAIN.test(domain) ? domain : domainToASCII(domain);
}
