import { describe, expect, it, vi } from "vitest";
import { type DestinationRules, resolveBySystem, resolveDestination } from "./resolve-destination.js";

const anywhere: DestinationRules = { allowPrivate: false, allowedIps: null };
const named =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("resolveDestination", () => {
  it("resolveDestination returns the addresses of a name, in their order", async () => {
    const resolve = named("203.0.112.7", "2606:4700::1");
    expect(await resolveDestination("https://shop.example:444/hooks?a=1#b", anywhere, resolve)).toEqual({
      kind: "resolved",
      origin: "https://shop.example:444",
      path: "/hooks?a=1",
      addresses: [
        { address: "203.0.112.7", family: 4 },
        { address: "2606:4700::1", family: 6 },
      ],
    });
  });

  it.each([
    ["https://8.8.8.8/", "8.8.8.8", 4],
    ["https://[2606:4700::1]:8443/", "2606:4700::1", 6],
  ])("resolveDestination uses the address in %s without a lookup", async (url, address, family) => {
    const resolve = vi.fn();
    expect(await resolveDestination(url, anywhere, resolve)).toMatchObject({
      kind: "resolved",
      addresses: [{ address, family }],
    });
    expect(resolve).not.toHaveBeenCalled();
  });

  it.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "ftp://shop.example/",
    "https://a:b@shop.example/",
    "https://localhost/",
  ])("resolveDestination refuses %s before any name is resolved", async (url) => {
    const resolve = vi.fn();
    expect((await resolveDestination(url, anywhere, resolve)).kind).toBe("refused");
    expect(resolve).not.toHaveBeenCalled();
  });

  it.each([
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "168.63.129.16",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::1",
    "fe80::1%2",
    "fd00:ec2::254",
  ])("refuses a name that leads to %s, also beside a public address", async (address) => {
    const refusal = { kind: "refused", reason: "The name of the host leads to an address that is not public." };
    expect(await resolveDestination("https://shop.example/", anywhere, named(address))).toEqual(refusal);
    expect(await resolveDestination("https://shop.example/", anywhere, named("8.8.8.8", address))).toEqual(refusal);
    const allowed = { ...anywhere, allowPrivate: true };
    expect((await resolveDestination("https://shop.example/", allowed, named(address))).kind).toBe("resolved");
  });

  it("resolveDestination uses only the addresses that the endpoint allows", async () => {
    const rules = { ...anywhere, allowedIps: ["203.0.112.0/24", "2606:4700::/32"] };
    const resolved = await resolveDestination("https://shop.example/", rules, named("8.8.8.8", "203.0.112.7"));
    expect(resolved).toMatchObject({ kind: "resolved", addresses: [{ address: "203.0.112.7", family: 4 }] });
    const refusal = { kind: "refused", reason: expect.stringMatching(/allowed for this endpoint/) };
    expect(await resolveDestination("https://shop.example/", rules, named("8.8.8.8"))).toEqual(refusal);
    expect(await resolveDestination("https://8.8.8.8/", rules, named())).toEqual(refusal);
    expect((await resolveDestination("https://[2606:4700::5]/", rules, named())).kind).toBe("resolved");
  });

  it("resolveDestination refuses a name without addresses", async () => {
    const refusal = { kind: "refused", reason: "The name of the host cannot be resolved." };
    expect(await resolveDestination("https://shop.example/", anywhere, named())).toEqual(refusal);
    const failing = () => Promise.reject(new Error("ENOTFOUND"));
    expect(await resolveDestination("https://shop.example/", anywhere, failing)).toEqual(refusal);
  });

  it("resolveDestination uses the resolver of the machine by default", async () => {
    const addresses = (await resolveBySystem("localhost")).map(({ address }) => address);
    expect(addresses.some((address) => address === "127.0.0.1" || address === "::1")).toBe(true);
  });
});
