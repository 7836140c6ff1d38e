import { describe, expect, it } from "vitest";
import { safeMediaType } from "./media-type.js";

describe("safeMediaType", () => {
  it.each([
    "application/pdf",
    "text/plain; charset=utf-8",
    'text/plain;charset="utf-8"; format=flowed',
    'a/b; c="d \\" e"',
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "Image/SVG+xml",
  ])("keeps %s", (type) => {
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
  ])("takes %j for unknown bytes", (type) => {
    expect(safeMediaType(type)).toBe("application/octet-stream");
  });
});
