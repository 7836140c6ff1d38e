const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*"';
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|${QUOTED}))*$`);
const MAX_LENGTH = 255;

const UNKNOWN_TYPE = "application/octet-stream";

/** The media type as given where it is well-formed, else that of unknown bytes. Source: RFC 9110, 8.3.1. */
export function safeMediaType(given: string | null): string {
  return given !== null && given.length <= MAX_LENGTH && MEDIA_TYPE.test(given) ? given : UNKNOWN_TYPE;
}
