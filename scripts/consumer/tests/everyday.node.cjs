const { strictEqual } = require("node:assert");
const { test } = require("node:test");
const { everydayCalls } = require("../out/everyday-calls.cjs");

test("a host's everyday calls work under node:test", async () => {
  strictEqual(await everydayCalls(), "201 200 APPROVED 200 200 true");
});
