import { expect, test } from "vitest";
import { everydayCalls } from "../out/everyday-calls.cjs";

test("a host's everyday calls work under Vitest", async () => {
  expect(await everydayCalls()).toBe("201 200 APPROVED 200 200 true");
});
