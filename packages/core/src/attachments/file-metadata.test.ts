import { describe, expect, it } from "vitest";
import { safeFileName, safeMediaType } from "./file-metadata.js";

const LONG = "ñ".repeat(200); // 400 bytes

const NAMES: readonly (readonly [given: string | null, kept: string])[] = [
  ["offer.pdf", "offer.pdf"],
  ["Oferta nº 7 (final) – Ñandú & Cía.pdf", "Oferta nº 7 (final) – Ñandú & Cía.pdf"],
  ["報價單.pdf", "報價單.pdf"],
  ["🙂.png", "🙂.png"],
  // nothing to go by
  [null, "file"],
  ["", "file"],
  ["   ", "file"],
  [".", "file"],
  ["..", "file"],
  ["...", "file"],
  ["/", "file"],
  ["\u0000\u202e", "file"],
  // paths
  ["/etc/passwd", "passwd"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\ana\\offer.pdf", "offer.pdf"],
  ["..\\..\\offer.pdf", "offer.pdf"],
  ["a/b\\c.txt", "c.txt"],
  ["folder/", "folder"],
  ["folder/ /", "folder"],
  // what is not seen, or makes a name look like another
  ["offer\u202efdp.exe", "offerfdp.exe"],
  ["\u2066offer\u2069.pdf", "offer.pdf"],
  ["of\u0000fer\r\n\t.pdf", "offer.pdf"],
  ["a\u007f\u0085b.txt", "ab.txt"],
  ["a\u200b\u200d\ufeffb.txt", "ab.txt"],
  ["a\u2028b\u2029c.txt", "abc.txt"],
  ["a\ud800b.txt", "ab.txt"],
  ["e\u0301.txt", "é.txt"],
  ["a\u00a0b.txt", "a b.txt"],
  // hidden files, and ends that Windows drops
  [".htaccess", "htaccess"],
  ["..hidden..", "hidden"],
  ["offer.pdf. .", "offer.pdf"],
  [" offer.pdf ", "offer.pdf"],
  // what file systems have other uses for
  ['a<b>c:d"e|f?g*h.txt', "a_b_c_d_e_f_g_h.txt"],
  ["file.txt:stream", "file.txt_stream"],
  ["con", "_con"],
  ["CON.txt", "_CON.txt"],
  ["nul.tar.gz", "_nul.tar.gz"],
  ["Lpt1", "_Lpt1"],
  ["com¹.log", "_com¹.log"],
  ["aux .txt", "_aux .txt"],
  ["..con", "_con"],
  ["conin$", "_conin$"],
  ["console.log", "console.log"],
  ["com10.txt", "com10.txt"],
  // too long
  [`${"a".repeat(251)}.pdf`, `${"a".repeat(251)}.pdf`],
  [`${"a".repeat(252)}.pdf`, `${"a".repeat(251)}.pdf`],
  ["a".repeat(300), "a".repeat(255)],
  [`${LONG}.pdf`, `${"ñ".repeat(125)}.pdf`],
  [`${"🙂".repeat(100)}.pdf`, `${"🙂".repeat(62)}.pdf`],
  [`a.${"b".repeat(300)}`, `a.${"b".repeat(253)}`],
  [`${"a".repeat(250)}    b.pdf`, `${"a".repeat(250)}.pdf`],
  [`con${" x".repeat(200)}`, `con${" x".repeat(126)}`],
];

describe("safeFileName", () => {
  it.each(NAMES)("safeFileName turns %j into %j", (given, kept) => {
    expect(safeFileName(given)).toBe(kept);
  });

  it.each(NAMES)("safeFileName leaves its own result for %j unchanged", (given) => {
    const name = safeFileName(given);
    expect(safeFileName(name)).toBe(name);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(name)).toBeGreaterThan(0);
  });
});

describe("safeMediaType", () => {
  it.each([
    "application/pdf",
    "text/plain; charset=utf-8",
    'text/plain;charset="utf-8"; format=flowed',
    'a/b; c="d \\" e"',
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "Image/SVG+xml",
  ])("safeMediaType keeps %s", (type) => {
    expect(safeMediaType(type)).toBe(type);
  });

  it.each([
    null,
    "",
    "text",
    "text/",
    "/plain",
    "text/plain;",
    "text/plain; charset",
    "text/plain\r\nSet-Cookie: a=b",
    "text/plain; a=b\u0000",
    "text/plän",
    "text /plain",
    "text/plain, text/html",
    `text/${"a".repeat(300)}`,
  ])("safeMediaType treats %j as unknown bytes", (type) => {
    expect(safeMediaType(type)).toBe("application/octet-stream");
  });
});
