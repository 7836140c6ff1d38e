import { describe, expect, it } from "vitest";
import { pathOf } from "./qr-path.js";

describe("pathOf", () => {
  it("draws each run of dark modules as one rectangle of its row", () => {
    const rows = [
      [true, true, false, true],
      [false, false, false, false],
      [false, true, true, true],
    ];
    expect(pathOf(rows)).toBe("M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3z");
  });
});
