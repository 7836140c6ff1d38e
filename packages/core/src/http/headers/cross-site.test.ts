import { describe, expect, it } from "vitest";
import type { ApiRequest } from "../message.js";
import { crossSiteReason as reasonFor } from "./cross-site.js";
import { canonicalOrigin } from "./trusted-origins.js";

function crossSiteReason(made: ApiRequest, publicBaseUrl: string, trustedOrigins: readonly string[] = []) {
  return reasonFor(made, { publicBaseUrl, trustedOrigins });
}

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
  it.each(["GET", "HEAD", "OPTIONS"])("allows a page elsewhere to send %s, whose response it cannot read", (method) => {
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

  it("compares the Origin with the public address alone when the request has no Host", () => {
    expect(crossSiteReason(request({ origin: "https://quotes.example" }), HTTPS)).toBeNull();
    expect(crossSiteReason(request({ origin: "https://app.example" }), HTTPS)).toContain("https://app.example");
  });

  it("accepts clients that send neither Origin nor Sec-Fetch-Site, which are no browsers", () => {
    expect(crossSiteReason(request(COOKIE), HTTPS)).toBeNull();
  });

  it.each([
    [{ authorization: "Bearer token" }, true],
    [{ authorization: "bearer token" }, true],
    [{ authorization: "Token token" }, true],
    [{ authorization: "DPoP token" }, true],
    [{ authorization: "Basic dXNlcg==" }, false], // browsers add this and the next ones by themselves
    [{ authorization: "BASIC dXNlcg==" }, false],
    [{ authorization: 'Digest username="a"' }, false],
    [{ authorization: "Negotiate YII" }, false],
    [{ authorization: "NTLM TlR" }, false],
    [{ authorization: "Basic dXNlcg==, Bearer token" }, false],
    [{ authorization: "Bearer" }, false],
    [{ authorization: "Bearer " }, false],
    [{ authorization: "token" }, false],
    [{ "x-requested-with": "XMLHttpRequest" }, true],
    [{ "x-csrf-token": "a" }, true],
    [{ "x-xsrf-token": "a" }, true],
    [{ "x-requested-with": "xmlhttprequest" }, true],
    [{ "x-requested-with": "" }, false],
    [{ "x-requested-with": "com.example.app" }, false], // an Android WebView adds it to every request of a page
    [{ "x-requested-with": "com.example.app, XMLHttpRequest" }, false],
    [{ "x-csrf-token": "" }, false],
  ])("treats %j beside a cookie as proof of code that this service has admitted: %s", (headers, isProof) => {
    expect(crossSiteReason(request({ ...EVIL, ...COOKIE, ...headers }), HTTPS) === null).toBe(isProof);
    expect(crossSiteReason(request({ ...EVIL, ...headers }), HTTPS) === null).toBe(isProof);
  });

  it.each([
    [{ origin: "https://app.example", "sec-fetch-site": "same-site" }, true],
    [{ origin: "https://app.example", "sec-fetch-site": "cross-site" }, true],
    [{ origin: "https://app.example" }, true],
    [{ origin: "http://app.example", "sec-fetch-site": "same-site" }, false],
    [{ origin: "https://app.example:8443", "sec-fetch-site": "same-site" }, false],
    [{ origin: "https://x.app.example", "sec-fetch-site": "same-site" }, false],
    [{ origin: "https://app.example.evil.example", "sec-fetch-site": "cross-site" }, false],
    [{ origin: "null", "sec-fetch-site": "cross-site" }, false],
    [{ "sec-fetch-site": "same-site" }, false],
  ])("accepts %j by the origins that the operator trusts: %s", (headers, isTrusted) => {
    const made = request({ ...COOKIE, ...headers });
    expect(crossSiteReason(made, HTTPS, ["https://app.example"]) === null).toBe(isTrusted);
  });

  it("quotes at most a short part of a refused Origin", () => {
    const long = crossSiteReason(request({ origin: `https://${"x".repeat(9_000)}` }), HTTPS);
    expect(long?.length).toBeLessThan(200);
  });
});

describe("canonicalOrigin", () => {
  it.each([
    ["https://app.example", "https://app.example"],
    ["https://APP.example:443/", "https://app.example"],
    ["http://localhost:5173", "http://localhost:5173"],
    ["http://[::1]:5173", "http://[::1]:5173"],
    ["https://app.example/path", null],
    ["https://app.example?a", null],
    ["https://user@app.example", null],
    ["https://app.example#", null],
    ["https://", null],
    ["app.example", null],
    ["ftp://app.example", null],
    ["*", null],
    ["null", null],
    ["", null],
  ])("canonicalOrigin reads %j as %j", (text, origin) => {
    expect(canonicalOrigin(text)).toBe(origin);
  });
});
