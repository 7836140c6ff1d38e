import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PNG } from "pngjs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { pnpLoaders } from "./pnp-loaders.js";
import { reducedPicture } from "./reduced-picture.js";

describe("the thread that decodes logos", () => {
  it("gives the logo thread the loaders of Yarn Plug'n'Play, of the command line and NODE_OPTIONS, once", () => {
    const yarn = "--require /app/.pnp.cjs --experimental-loader file:///app/.pnp.loader.mjs";
    const both = ["--require=/app/.pnp.cjs", "--experimental-loader=file:///app/.pnp.loader.mjs"];
    expect(pnpLoaders([], yarn)).toEqual(both);
    expect(pnpLoaders(yarn.split(" "), yarn)).toEqual(both);
    expect(pnpLoaders(["-r", "/app/.pnp.cjs", "--import=/app/.pnp.loader.mjs"], "")).toEqual([
      "--require=/app/.pnp.cjs",
      "--import=/app/.pnp.loader.mjs",
    ]);
    const quoted = String.raw`--max-old-space-size=200 --require "/my \"app\"/.pnp.cjs"  "--import=C:\\my app\\.pnp.cjs"`;
    expect(pnpLoaders([], quoted)).toEqual(['--require=/my "app"/.pnp.cjs', String.raw`--import=C:\my app\.pnp.cjs`]);
  });

  it("gives the logo thread no other option of the process: no inspector, no instrumentation, no limit of memory", () => {
    const others = "--inspect=0 --import ./telemetry.mjs --require=dotenv/config --max-old-space-size=200 --cpu-prof";
    expect(pnpLoaders(["-e", "/x/.pnp.cjs", ...others.split(" ")], others)).toEqual([]);
    expect(pnpLoaders(["--require"], "--import")).toEqual([]);
  });

  it("starts the logo thread with the loaders, and with no variable of the environment", async () => {
    const folder = mkdtempSync(join(tmpdir(), "budgetkit pnp-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const seen = join(folder, "seen.json");
    const notes = `require("node:fs").writeFileSync(${JSON.stringify(seen)}, JSON.stringify([process.env, process.execArgv]))`;
    writeFileSync(join(folder, ".pnp.cjs"), notes);
    vi.stubEnv("NODE_OPTIONS", `--max-old-space-size=4000 --require ${JSON.stringify(join(folder, ".pnp.cjs"))}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const png = PNG.sync.write(new PNG({ width: 2, height: 2 }));
    expect(await reducedPicture(png, "store")).toEqual(png);
    expect(JSON.parse(readFileSync(seen, "utf8"))).toEqual([{}, [`--require=${join(folder, ".pnp.cjs")}`]]);
  });
});
