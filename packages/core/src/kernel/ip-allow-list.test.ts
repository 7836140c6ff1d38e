import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalAddress, canonicalRange, isAllowed } from "./ip-allow-list.js";

describe("canonicalRange", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["203.0.113.7/32", "203.0.113.7/32"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:db8:ffff::/33", "2001:db8:8000::/33"],
    ["::/0", "::/0"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["::ffff:10.0.0.1/104", "10.0.0.0/8"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
  ])("canonicalRange writes %s as %s", (text, range) => {
    expect(canonicalRange(text)).toBe(range);
    expect(canonicalRange(range)).toBe(range);
  });

  it.each([
    "",
    "/",
    "/8",
    "10/8",
    "1.2.3",
    "010.0.0.0/8",
    "0x0a.0.0.0/8",
    "167772160",
    "10.0.0.0/33",
    "10.0.0.0/08",
    "10.0.0.0/-1",
    "10.0.0.0/ 8",
    "10.0.0.0/8/8",
    "10.0.0.0/255.0.0.0",
    "10.0.0.0/",
    " 10.0.0.1",
    "10.0.0.1:80",
    "256.0.0.1",
    "2001:db8::/129",
    "2001:db8",
    "fe80::1%eth0",
    "[::1]",
    "::1.2.3.4",
    "::1.2.3.4/128",
    "::ffff:10.0.0.1/95",
    "::ffff:010.0.0.1",
    "example.com",
    "*",
  ])("canonicalRange refuses %j", (text) => {
    expect(canonicalRange(text)).toBeNull();
  });
});

describe("canonicalAddress", () => {
  it("canonicalAddress accepts addresses and refuses ranges", () => {
    expect(canonicalAddress("::FFFF:10.0.0.1")).toBe("10.0.0.1");
    expect(canonicalAddress("2001:db8:0:0::1")).toBe("2001:db8::1");
    expect(canonicalAddress("10.0.0.0/8")).toBeNull();
  });
});

describe("isAllowed", () => {
  it("isAllowed allows every client when there is no list", () => {
    expect(isAllowed("203.0.113.7", null)).toBe(true);
    expect(isAllowed(null, null)).toBe(true);
  });

  it.each([null, "", "unknown", "203.0.113", "fe80::1%eth0"])("isAllowed refuses the client address %j", (address) => {
    expect(isAllowed(address, ["0.0.0.0/0", "::/0"])).toBe(false);
  });

  it.each([
    ["203.0.113.7", "203.0.113.7", true],
    ["203.0.113.8", "203.0.113.7", false],
    ["10.255.255.255", "10.0.0.0/8", true],
    ["11.0.0.0", "10.0.0.0/8", false],
    ["10.0.0.1", "0.0.0.0/0", true],
    ["::ffff:10.0.0.1", "10.0.0.0/8", true],
    ["2001:db8::1", "2001:db8::/32", true],
    ["2001:db9::1", "2001:db8::/32", false],
    ["2001:0db8:0::0:1", "2001:db8::1", true],
    ["10.0.0.1", "::/0", false],
    ["::1", "0.0.0.0/0", false],
  ])("isAllowed decides for a client at %s and the range %s: %s", (address, range, allowed) => {
    expect(isAllowed(address, [range])).toBe(allowed);
  });

  it("isAllowed allows an address that any of the ranges contains", () => {
    expect(isAllowed("10.0.0.1", ["2001:db8::/32", "192.0.2.1", "10.0.0.0/30"])).toBe(true);
  });

  it("isAllowed agrees with arithmetic on IPv4 over arbitrary ranges", () => {
    const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 32 }), (address, network, bits) => {
        const size = 2 ** (32 - bits);
        const range = canonicalRange(`${dotted(network)}/${bits}`);
        expect(range).not.toBeNull();
        const holds = Math.floor(address / size) === Math.floor(network / size);
        expect(isAllowed(dotted(address), [String(range)])).toBe(holds);
        expect(isAllowed(dotted(network), [String(range)])).toBe(true);
      }),
      { numRuns: rounds({ small: 300, full: 2_000 }), seed: 1 },
    );
  });

  it("isAllowed decides correctly with more ranges than it caches", () => {
    const wrong: string[] = []; // an assertion for each range would take seconds
    for (let third = 0; third < 12_000; third += 1) {
      const network = (10 * 256 ** 3 + third * 256) >>> 0;
      const range = `${dotted(network)}/24`;
      if (!isAllowed(dotted(network + 7), [range]) || isAllowed(dotted(network + 256), [range])) wrong.push(range);
    }
    expect(wrong).toEqual([]);
  });
});

function dotted(word: number): string {
  return [24, 16, 8, 0].map((shift) => (word >>> shift) & 255).join(".");
}
