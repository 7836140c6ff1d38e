import { describe, expect, it } from "vitest";
import type { ApiRequest } from "../message.js";
import { clientAddressOf } from "./client-address.js";

function request(peerAddress: string | null, forwarded: string | null = null): ApiRequest {
  return {
    method: "GET",
    target: "/",
    header: (name) => (name === "x-forwarded-for" ? forwarded : null),
    readBody: async () => new Uint8Array(),
    streamBody: async function* () {},
    peerAddress,
    original: null,
  };
}

const PROXIES = ["10.0.0.0/8", "fd00::/8"];

describe("clientAddressOf", () => {
  it("the client address is the peer if no proxy is trusted, with any X-Forwarded-For", () => {
    expect(clientAddressOf(request("198.51.100.1", "203.0.113.9"), [])).toBe("198.51.100.1");
    expect(clientAddressOf(request(null, "203.0.113.9"), [])).toBeNull();
  });

  it("the client address is the peer if the peer is not a trusted proxy", () => {
    expect(clientAddressOf(request("198.51.100.1", "203.0.113.9"), PROXIES)).toBe("198.51.100.1");
    expect(clientAddressOf(request(null, "203.0.113.9"), PROXIES)).toBeNull();
    expect(clientAddressOf(request("/tmp/socket", "203.0.113.9"), PROXIES)).toBe("/tmp/socket");
  });

  it("the client address is the rightmost one in X-Forwarded-For that is not a trusted proxy", () => {
    expect(clientAddressOf(request("10.0.0.1", "203.0.113.9"), PROXIES)).toBe("203.0.113.9");
    expect(clientAddressOf(request("10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2"), PROXIES)).toBe("203.0.113.9");
    expect(clientAddressOf(request("::ffff:10.0.0.1", " 2001:DB8::1 ,fd00::5"), PROXIES)).toBe("2001:db8::1");
  });

  it("the client address is the leftmost one if all are trusted proxies, and the peer without the header", () => {
    expect(clientAddressOf(request("10.0.0.1", "10.0.0.3, 10.0.0.2"), PROXIES)).toBe("10.0.0.3");
    expect(clientAddressOf(request("10.0.0.1"), PROXIES)).toBe("10.0.0.1");
  });

  it("the client address leaves out the port of an entry", () => {
    expect(clientAddressOf(request("10.0.0.1", "203.0.113.9:4711"), PROXIES)).toBe("203.0.113.9");
    expect(clientAddressOf(request("10.0.0.1", "[2001:db8::1]:4711"), PROXIES)).toBe("2001:db8::1");
    expect(clientAddressOf(request("10.0.0.1", "[2001:db8::1]"), PROXIES)).toBe("2001:db8::1");
  });

  it.each(["", "unknown", "203.0.113", "203.0.113.9;10.0.0.1", "203.0.113.9, nonsense", "010.0.0.1", "_hidden"])(
    "the client address is unknown for %j",
    (forwarded) => {
      expect(clientAddressOf(request("10.0.0.1", forwarded), PROXIES)).toBeNull();
    },
  );
});
