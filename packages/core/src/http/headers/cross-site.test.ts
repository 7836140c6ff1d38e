import { describe, expect, it } from "vitest";
import type { ApiRequest } from "../message.js";
import { crossSiteReason } from "./cross-site.js";

function request(headers: Readonly<Record<string, string>>, method = "POST"): ApiRequest {
  return {
    method,
    target: "/v1/api/public/budgets",
    header: (name) => headers[name] ?? null,
    readBody: async () => new Uint8Array(),
    streamBody: async function* () {},
    peerAddress: null,
    original: null,
  };
}

const HTTPS = "https://quotes.example/v1";
const HTTP = "http://localhost:3000/v1";
const COOKIE = { cookie: "session=1" };
const EVIL = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };

describe("crossSiteReason", () => {
  it.each(["GET", "HEAD", "OPTIONS"])("lets a page elsewhere send %s, whose response it cannot read", (method) => {
    expect(crossSiteReason(request({ ...COOKIE, ...EVIL }, method), HTTPS)).toBeNull();
  });

  it.each(["POST", "PUT", "PATCH", "DELETE", "PURGE"])(
    "refuses %s from a page elsewhere and names the header",
    (method) => {
      expect(crossSiteReason(request({ ...COOKIE, ...EVIL }, method), HTTPS)).toBe(
        'Sec-Fetch-Site is "cross-site", not same-origin',
      );
    },
  );

  it.each([
    ["same-origin", true],
    ["none", true],
    ["same-site", false],
    ["cross-site", false],
    ["Same-Origin", false],
    ["same-origin, cross-site", false],
    ["", false],
  ])("reads Sec-Fetch-Site: %s", (site, isOwn) => {
    const reason = crossSiteReason(
      request({ ...COOKIE, "sec-fetch-site": site, origin: "https://quotes.example" }),
      HTTPS,
    );
    expect(reason === null).toBe(isOwn);
  });

  it.each([
    [HTTPS, "https://quotes.example", "10.0.0.1:8080", true], // behind a proxy that sets another Host
    [HTTPS, "https://app.example", "app.example", true], // a second name of the service
    [HTTPS, "http://app.example", "app.example", false], // the same name without TLS may be another's page
    [HTTPS, "http://quotes.example", "quotes.example", false],
    [HTTPS, "https://quotes.example:8443", "quotes.example", false],
    [HTTPS, "https://quotes.example.evil.example", "quotes.example", false],
    [HTTPS, "https://evil.example", "quotes.example", false],
    [HTTPS, "null", "null", false],
    [HTTPS, "null", "quotes.example", false],
    [HTTP, "http://192.0.2.7:3000", "192.0.2.7:3000", true],
    [HTTP, "https://app.example", "APP.example", true], // TLS ends at a proxy
    [HTTP, "http://localhost:3001", "localhost:3000", false],
  ])("reads the Origin where a browser sends no Sec-Fetch-Site: %s from %s at %s", (base, origin, host, isOwn) => {
    expect(crossSiteReason(request({ ...COOKIE, origin, host }), base) === null).toBe(isOwn);
  });

  it("compares with the public address alone when the request has no Host", () => {
    expect(crossSiteReason(request({ origin: "https://quotes.example" }), HTTPS)).toBeNull();
    expect(crossSiteReason(request({ origin: "https://app.example" }), HTTPS)).toContain("https://app.example");
  });

  it("serves clients that send neither header, which are no browsers", () => {
    expect(crossSiteReason(request(COOKIE), HTTPS)).toBeNull();
  });

  it("serves a token alone; a cookie beside it, and Basic, which browsers add by themselves, are refused", () => {
    expect(crossSiteReason(request({ ...EVIL, authorization: "Bearer token" }), HTTPS)).toBeNull();
    expect(crossSiteReason(request({ ...EVIL, ...COOKIE, authorization: "Bearer token" }), HTTPS)).not.toBeNull();
    expect(crossSiteReason(request({ ...EVIL, authorization: "Basic dXNlcg==" }), HTTPS)).not.toBeNull();
    expect(crossSiteReason(request({ ...EVIL, authorization: "Bearer" }), HTTPS)).not.toBeNull();
  });

  it("quotes little of what it refuses", () => {
    const long = crossSiteReason(request({ origin: `https://${"x".repeat(9_000)}` }), HTTPS);
    expect(long?.length).toBeLessThan(200);
  });
});
