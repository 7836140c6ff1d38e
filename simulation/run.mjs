// The command `pnpm simulate`: bundles the simulation, and runs it with the given options.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle } from "./bundle.mjs";

const folder = mkdtempSync(join(tmpdir(), "simulation-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const program = join(folder, "simulation.mjs");
await bundle(program);
await import(pathToFileURL(program).href);
