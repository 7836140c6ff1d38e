import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { blocksOf } from "../docs/code/page-code.js";
import { startProgram, temporaryFolder } from "../programs/running-program.js";
import { bundle } from "./bundle.js";
import { inServedWorld } from "./world.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "packages/client/README.md"), "utf8");
const blocks = blocksOf(page, "ts");

describe("the page of the client", () => {
  it("the short script on the page of the client works unchanged", async () => {
    const [code = ""] = blocks;
    await inServedWorld("Express", async (baseUrl, { apiKey, named }) => {
      const script = join(temporaryFolder(), "script.mjs");
      writeFileSync(script, await bundle(code, "es"));
      const program = startProgram(script, { BUDGETKIT_URL: baseUrl, BUDGETKIT_KEY: apiKey });
      expect(await program.end, program.printed()).toBe(0);
      const lines = program.printed().trimEnd().split("\n");
      expect(lines).toContain(`${named("budgetId")} 544.5`);
      expect(lines.at(-1)).toBe("INVALID_TRANSITION");
    });
  });

  it("the login with renewal on the page of the client works unchanged", async () => {
    await inServedWorld("Hono", async (baseUrl) => {
      const script = join(temporaryFolder(), "script.mjs");
      const code = (blocks[1] ?? "").replace("https://shop.example/v1", baseUrl);
      const renewed = code.replace("Date.now() + session.expires_in", "session.expires_in"); // long ago
      expect(renewed).not.toBe(code);
      const use = "console.log((await client.keys.list()).data.length, (await client.auth.logout()).message !== '');";
      writeFileSync(script, await bundle(`${renewed}\n${use}`, "es"));
      const program = startProgram(script, {});
      expect(await program.end, program.printed()).toBe(0);
      expect(program.printed()).toBe("1 true\n");
    });
  });
});
