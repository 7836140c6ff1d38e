import { build } from "esbuild";
import { expect, it } from "vitest";

const FILE = "../../packages/core/src/http/pages/live-total-script.ts";
const FROM =
  "// Bundled from live-total.ts by tests/browser/live-total-script.test.ts, which fails when the sources have changed.";

it("The script that computes the total in a browser is that of its sources; `npm test -- tests/browser/live-total-script -u` regenerates it", async () => {
  const { outputFiles } = await build({
    entryPoints: ["packages/core/src/http/pages/live-total.ts"],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    write: false,
  });
  const script = outputFiles[0]?.text.trim() ?? "";
  const lines = [
    FROM,
    "export const LIVE_TOTAL_SCRIPT = [",
    ...partsOf(script).map((part) => `  ${JSON.stringify(part)},`),
    '].join("");',
    "",
  ];
  await expect(lines.join("\n")).toMatchFileSnapshot(FILE);
});

/** Lines of a length that tools show. */
function partsOf(script: string): readonly string[] {
  return script.match(/[\s\S]{1,1000}/g) ?? [];
}
