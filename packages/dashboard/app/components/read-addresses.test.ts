import { describe, expect, it } from "vitest";
import { readAddresses } from "./read-addresses.js";

describe("readAddresses", () => {
  it.each([
    "198.51.100.7",
    "198.51.100.0/24",
    "2001:db8::/32",
    "2001:db8:40::1",
    "::1",
    "::ffff:192.0.2.1",
    "1:2:3:4:5:6:7:8",
  ])("takes %s", (address) => {
    expect(readAddresses(address)).toEqual({ addresses: [address], wrong: null, isTooLong: false });
  });

  it.each([
    "198.51.100",
    "256.1.1.1",
    "010.0.0.0/8",
    "10.0.0.0/33",
    "10.0.0.0/8/8",
    "2001:db8",
    "1::2::3",
    "host.example",
    "::1/129",
  ])("a list of addresses names %s as wrong", (address) => {
    expect(readAddresses(`192.0.2.1 ${address}`).wrong).toBe(address);
  });

  it("reads several, by comma, space or line, and none as from anywhere", () => {
    expect(readAddresses("192.0.2.1, 192.0.2.2\n192.0.2.3 ").addresses).toEqual([
      "192.0.2.1",
      "192.0.2.2",
      "192.0.2.3",
    ]);
    expect(readAddresses(" \n").addresses).toBeNull();
  });
});
