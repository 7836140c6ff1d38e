import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRouter, withoutVersion } from "./router.js";

const list = { method: "GET", paths: ["/things"] } as const;
const create = { method: "POST", paths: ["/things", "/api/things"] } as const;
const read = { method: "GET", paths: ["/things/{thingId}"] } as const;
const act = { method: "POST", paths: ["/things/{thingId}/act"] } as const;
const special = { method: "POST", paths: ["/things/special"] } as const;
const root = { method: "GET", paths: ["/"] } as const;
const router = createRouter([list, create, read, act, special, root]);

describe("createRouter", () => {
  it("the router finds a route by method and path, also by its aliases", () => {
    expect(router.match("GET", "/things")).toEqual({ kind: "found", route: list, params: {} });
    expect(router.match("POST", "/api/things")).toEqual({ kind: "found", route: create, params: {} });
    expect(router.match("GET", "/")).toEqual({ kind: "found", route: root, params: {} });
  });

  it("the router names and decodes parameters", () => {
    expect(router.match("GET", "/things/42")).toMatchObject({ route: read, params: { thingId: "42" } });
    expect(router.match("GET", "/things/a%20b%C3%B1")).toMatchObject({ params: { thingId: "a bñ" } });
    expect(router.match("POST", "/things/42/act")).toMatchObject({ route: act, params: { thingId: "42" } });
  });

  it("the router separates a parameter with a fixed end from one without", () => {
    const file = { method: "GET", paths: ["/files/{name}.pdf"] } as const;
    const page = { method: "GET", paths: ["/files/{name}"] } as const;
    const act = { method: "POST", paths: ["/files/{name}/act"] } as const;
    const { match } = createRouter([page, file, act]);
    expect(match("HEAD", "/files/a%20b.pdf")).toMatchObject({ route: file, params: { name: "a b" } });
    expect(match("GET", "/files/a.pdf.pdf")).toMatchObject({ route: file, params: { name: "a.pdf" } });
    expect(match("GET", "/files/a.PDF")).toMatchObject({ route: page, params: { name: "a.PDF" } });
    expect(match("GET", "/files/a%2Epdf")).toMatchObject({ route: page, params: { name: "a.pdf" } });
    expect(match("POST", "/files/a.pdf")).toMatchObject({ kind: "wrong-method" });
    for (const path of ["/files/.pdf", "/files/a.pdf/act", "/files/a%2fb.pdf"]) {
      expect(match("POST", path).kind).toBe("unknown");
    }
  });

  it("the router serves HEAD as GET", () => {
    expect(router.match("HEAD", "/things/1")).toMatchObject({ route: read });
  });

  it("the router lists the methods of a path that has others (405)", () => {
    expect(router.match("PUT", "/things")).toEqual({ kind: "wrong-method", allowed: ["GET", "HEAD", "POST"] });
    expect(router.match("GET", "/things/special")).toEqual({ kind: "wrong-method", allowed: ["POST"] });
    expect(router.match("HEAD", "/things/special")).toEqual({ kind: "wrong-method", allowed: ["POST"] });
  });

  it.each([
    "",
    "things",
    "/Things",
    "/things/",
    "//things",
    "/things//act",
    "/thing%73",
    "/things/.",
    "/things/..",
    "/things/%2e%2E",
    "/things/a%2fb",
    "/things/a%5cb",
    "/things/a\\b",
    "/things/%00",
    "/things/%7f",
    "/things/%",
    "/things/%c3",
    "/things/1/act/",
    "/things/1/other",
    "/api",
    `/things/${"a".repeat(513)}`,
  ])("the router does not match %j", (path) => {
    expect(router.match("GET", path)).toEqual({ kind: "unknown" });
  });

  it("the router reaches a route with a parameter by exactly one encoding of each text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), (text) => {
        const match = router.match("GET", `/things/${encodeURIComponent(text)}`);
        if (match.kind === "found") expect(match.params).toEqual({ thingId: text });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among what is refused
        else expect(text).toMatch(/^\.{1,2}$|[/\\\u0000-\u001f\u007f]|^special$/);
      }),
    );
  });

  it("the router refuses two routes for the same request", () => {
    expect(() => createRouter([read, { method: "GET", paths: ["/things/{other}"] }])).toThrow("two routes");
  });
});

describe("withoutVersion", () => {
  it.each([
    ["/v1/things", "/things"],
    ["/v1/v1/v1/things", "/things"],
    ["/things", "/things"],
    ["/v1", "/"],
    ["/v1/", "/"],
    ["/v1/v1", "/"],
    ["", "/"],
    ["/", "/"],
    ["/v11/things", "/v11/things"],
    ["/V1/things", "/V1/things"],
    ["//v1/things", "//v1/things"],
    ["/v1//things", "//things"],
    ["/things/v1", "/things/v1"],
  ])("withoutVersion reads %s as %s", (path, rest) => {
    expect(withoutVersion(path)).toBe(rest);
  });
});
