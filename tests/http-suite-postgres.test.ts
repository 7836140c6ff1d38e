import { httpSuite, SCALE } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { testSchema } from "../packages/store-postgres/src/testing/test-schema.js";
import { hosts } from "./http-hosts.js";

/**
 * The groups of cases about requests and answers, and about rules that are decided before the store is asked. A small run
 * has them behind Hono over the store in memory; the store suite and tenant-isolation.test.ts show what Postgres does.
 */
const ABOUT_HTTP = new Set([
  "paths",
  "request ids",
  "media types",
  "JSON",
  "sizes",
  "API keys as credentials",
  "scopes",
  "creating a budget",
  "the size of a budget",
  "the lines of a budget",
  "dates in requests",
  "previewing a budget",
  "the hash of a public link",
  "the public keys of the service",
  "shapes of errors",
  "logging in",
  "a host with a login of its own",
  "the page that sets a password",
  "a signed-in user on the public API",
  "a user of the host's own login on the public API",
  "a write with the cookie of the host's login",
  "managing API keys",
  "another business's resources",
  "the period of statistics",
  "who reads statistics",
  "managing webhook endpoints",
  "testing a webhook",
  "another business's webhooks",
  "the profile of the business",
  "managing integrations",
  "the developer-dashboard paths",
  "API keys under every prefix",
  "a download",
  "access to attachments",
  "a drawn signature",
  "the logo",
  "the form of an upload",
  "the size of an attachment",
  "the PDF of a budget",
  "the PDF of a public link",
]);

const groups = new Set<string>();

/** A runner of the groups that `isWanted` chooses. The suite nests no groups. */
function choosing(isWanted: (title: string) => boolean): Parameters<typeof httpSuite>[0] {
  return {
    describe: (title, body) => {
      groups.add(title);
      if (isWanted(title)) describe(title, body);
    },
    it,
  };
}

describe("HTTP behind Hono, over Postgres", () => {
  const schema = testSchema();
  const runner = choosing((title) => SCALE === "full" || !ABOUT_HTTP.has(title));
  httpSuite(runner, hosts.Hono, { makeStore: schema.freshStore });
});

if (SCALE === "small") {
  describe("HTTP behind Hono", () =>
    httpSuite(
      choosing((title) => ABOUT_HTTP.has(title)),
      hosts.Hono,
    ));
}

it("knows every group that needs no Postgres", () => {
  expect([...ABOUT_HTTP].filter((title) => !groups.has(title))).toEqual([]);
});
