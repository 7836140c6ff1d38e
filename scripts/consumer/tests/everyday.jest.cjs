const { everydayCalls } = require("../out/everyday-calls.cjs");

test("a host's everyday calls work under Jest", async () => {
  expect(await everydayCalls()).toBe("201 200 APPROVED 200 200 true");
});
