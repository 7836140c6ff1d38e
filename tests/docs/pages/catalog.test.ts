import { readFileSync } from "node:fs";
import { EVENT_TYPES } from "@budgetkit/core";
import { describe, expect, it } from "vitest";
import { routes } from "../../../packages/core/src/http/route-table.js";

const page = readFileSync(new URL("../../../docs/catalog.md", import.meta.url), "utf8");

describe("docs/catalog.md", () => {
  it("docs/catalog.md lists the routes of the catalog, and no others", () => {
    const listed = [...page.matchAll(/`((?:GET|POST|PUT|DELETE) \/[^`]*)`/g)].map(([, call]) => call);
    const served = routes
      .filter(({ paths: [path] }) => /^\/api\/public\/(?:customers|products|packages)/.test(path))
      .map(({ method, paths: [path] }) => `${method} ${path.replace("/api/public", "")}`);
    expect(served).toHaveLength(18);
    expect([...listed].sort()).toEqual([...served].sort());
  });

  it("docs/catalog.md lists the groups of events", () => {
    const groups = [...page.matchAll(/`(\w+)\.created`, `\.updated`, `\.deleted`/g)].map(([, group]) => group);
    const known = EVENT_TYPES.filter((type) => type.endsWith(".created")).map((type) => type.split(".")[0]);
    expect(["budget", ...groups]).toEqual(known);
  });
});
