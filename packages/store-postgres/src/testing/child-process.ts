import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

const workspace = fileURLToPath(new URL("../../../..", import.meta.url));
const entry = fileURLToPath(new URL("../index.ts", import.meta.url));
const driver = pathToFileURL(createRequire(import.meta.url).resolve("pg")).href;

/** Bundles the package into `folder`, so that plain Node can run it in other processes; gives the module's URL. */
export async function bundlePackage(folder: string): Promise<string> {
  await build({
    configFile: false,
    root: workspace,
    logLevel: "error",
    resolve: { tsconfigPaths: true },
    ssr: { noExternal: [/^@budgetkit\//], external: ["pg"] },
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: "package.mjs", paths: { pg: driver } } },
    },
  });
  return pathToFileURL(join(folder, "package.mjs")).href;
}

/**
 * Runs `script`, an ES module in which `postgresStore` is at hand, in a process of its own, and gives what it printed once
 * it ended. Rejects with its complaints when it failed.
 */
export async function runChild(packageUrl: string, script: string): Promise<string> {
  const source = `import { postgresStore } from ${JSON.stringify(packageUrl)};\n${script}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  let complaints = "";
  child.stdout.on("data", (chunk) => {
    printed += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    complaints += String(chunk);
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the child process failed with ${code}: ${complaints}`);
  return printed;
}
