import { httpSuite } from "@budgetkit/core/testing";
import { describe, it } from "vitest";
import { hosts } from "./http-hosts.js";

for (const [name, start] of Object.entries(hosts)) {
  describe(`HTTP behind ${name}`, () => httpSuite({ describe, it }, start));
}
