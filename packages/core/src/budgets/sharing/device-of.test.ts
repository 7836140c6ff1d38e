import { expect, it } from "vitest";
import { deviceOf } from "./device-of.js";

it.each([
  ["phone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"],
  ["phone", "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"],
  ["tablet", "Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"],
  ["tablet", "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"],
  ["computer", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"],
  ["computer", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15"],
  ["computer", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["unknown", "curl/8.9.1"],
  ["unknown", ""],
  ["unknown", null],
])("takes for a %s: %s", (device, userAgent) => {
  expect(deviceOf(userAgent)).toBe(device);
});

it("the device of a User-Agent is looked for in its first 512 characters alone", () => {
  expect(deviceOf(`${"x".repeat(512)}iPhone`)).toBe("unknown");
});
