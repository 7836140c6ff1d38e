const MAX_BYTES = 255; // limit of common file systems
const MAX_EXTENSION_BYTES = 20;
const READ_CHARACTERS = 1_024; // from the end: the result is shorter, and some patterns below are slow on long text
const UNNAMED = "file";

/** Control characters, text direction marks, invisible characters and unpaired surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const FORBIDDEN_ON_WINDOWS = /[<>:"|?*]/g;
const RESERVED_ON_WINDOWS = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³]) *(?:\.|$)/i;

/**
 * A name that is safe to show and to save on any system: the last part of a path, without hidden characters, leading
 * dots and reserved names; at most 255 bytes of UTF-8, with its extension. Never empty.
 */
export function safeFileName(given: string | null): string {
  const shown = (given ?? "").slice(-READ_CHARACTERS).normalize("NFC").replace(HIDDEN, "");
  const base =
    shown
      .split(/[/\\]/)
      .filter((part) => part.trim() !== "")
      .at(-1) ?? "";
  const plain = base
    .replace(FORBIDDEN_ON_WINDOWS, "_")
    .replace(/\s+/gu, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  if (plain === "") return UNNAMED;
  return shortened(RESERVED_ON_WINDOWS.test(plain) ? `_${plain}` : plain);
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const dot = name.lastIndexOf(".");
  const extension =
    dot > 0 && Buffer.byteLength(name) - byteOffset(name, dot) <= MAX_EXTENSION_BYTES ? name.slice(dot) : "";
  const stem = name.slice(0, name.length - extension.length);
  const room = MAX_BYTES - Buffer.byteLength(extension);
  return `${cut(stem, room).replace(/[. ]+$/, "")}${extension}`;
}

function byteOffset(text: string, index: number): number {
  return Buffer.byteLength(text.slice(0, index));
}

/** The longest prefix of whole characters that fits into `bytes`. */
function cut(text: string, bytes: number): string {
  let kept = "";
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    kept += character;
  }
  return kept;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*"';
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|${QUOTED}))*$`);
const MAX_TYPE_LENGTH = 255;

const UNKNOWN_TYPE = "application/octet-stream";

/** A well-formed media type as given, else that of unknown bytes. Source: RFC 9110, 8.3.1. */
export function safeMediaType(given: string | null): string {
  return given !== null && given.length <= MAX_TYPE_LENGTH && MEDIA_TYPE.test(given) ? given : UNKNOWN_TYPE;
}
