const MAX_BYTES = 255; // what file systems take
const MAX_EXTENSION_BYTES = 20;
const READ_CHARACTERS = 1_024; // from its end: more is never kept, and some rules below take their time over it
const UNNAMED = "file";

/** Controls, what turns the direction of text or is not seen (a name must not look like another), half characters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const FORBIDDEN_ON_WINDOWS = /[<>:"|?*]/g;
const RESERVED_ON_WINDOWS = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³]) *(?:\.|$)/i;

/**
 * A name that is safe to show and to save under anywhere: the last part of a path, without hidden characters, leading
 * dots, names that a system keeps for itself; at most 255 bytes of UTF-8, the extension kept. Never empty.
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

/** As many whole characters as fit into so many bytes. */
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
