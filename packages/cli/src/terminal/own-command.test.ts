import { expect, it } from "vitest";
import { ownCommand } from "./own-command.js";

it("suggests npm start where that runs the command line, and budgetkit elsewhere", () => {
  const started = { npm_lifecycle_event: "start", npm_package_name: "budgetkit" };
  expect(ownCommand(started)).toBe("npm start --");
  expect(ownCommand({ ...started, npm_package_name: "shop" })).toBe("budgetkit");
  expect(ownCommand({})).toBe("budgetkit");
});
