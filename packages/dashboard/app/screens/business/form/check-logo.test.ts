import { describe, expect, it } from "vitest";
import { checkLogo } from "./check-logo.js";

const file = (type: string, bytes = 10) => new Blob([new Uint8Array(bytes)], { type });
const sized = (width: number, height: number) => async () => ({ width, height });

describe("checkLogo", () => {
  it("takes the three types up to 512 KiB", async () => {
    expect(await checkLogo(file("image/png", 512 * 1024), sized(400, 400))).toBeNull();
    expect(await checkLogo(file("image/svg+xml"), () => Promise.reject(new Error("not drawn")))).toBeNull();
    expect(await checkLogo(file("image/gif"), sized(1, 1))).toBe("type");
    expect(await checkLogo(file("image/png", 512 * 1024 + 1), sized(1, 1))).toBe("size");
  });

  it("refuses too many pixels, and a picture that cannot be read", async () => {
    expect(await checkLogo(file("image/jpeg"), sized(4_097, 10))).toBe("pixels");
    expect(await checkLogo(file("image/jpeg"), sized(2_001, 2_000))).toBe("pixels");
    expect(await checkLogo(file("image/png"), () => Promise.reject(new Error("damaged")))).toBe("damaged");
  });
});
