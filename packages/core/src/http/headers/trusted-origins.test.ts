import { describe, expect, it } from "vitest";
import type { ApiRequest } from "../message.js";
import { HEADERS } from "../openapi/headers.js";
import { addCrossOriginHeaders } from "./trusted-origins.js";

const ORIGIN = "https://app.example";
const request: ApiRequest = {
  method: "GET",
  target: "/api/public/budgets",
  header: (name) => (name === "origin" ? ORIGIN : null),
  readBody: async () => new Uint8Array(),
  streamBody: async function* () {},
  peerAddress: null,
  original: null,
};

/** Shown to every page. Source: Fetch, CORS-safelisted response-header name. */
const SHOWN = ["Cache-Control"];
/** Rules for the browser and for caches, which a page has no use for. */
const FOR_BROWSERS = [
  "X-Content-Type-Options",
  "Content-Encoding",
  "Vary",
  "Referrer-Policy",
  "X-Robots-Tag",
  "Content-Security-Policy",
];

describe("addCrossOriginHeaders", () => {
  it("exposes every documented header to trusted origins, such as X-RateLimit-Window", () => {
    const headers: Record<string, string> = {};
    addCrossOriginHeaders(headers, request, [ORIGIN]);
    const exposed = headers["access-control-expose-headers"]?.split(", ") ?? [];
    const documented = Object.keys(HEADERS).filter((name) => !SHOWN.includes(name) && !FOR_BROWSERS.includes(name));
    expect([...exposed].sort()).toEqual([...documented, "Link"].sort());
  });
});
