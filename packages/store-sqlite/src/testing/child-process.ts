import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

const workspace = fileURLToPath(new URL("../../../..", import.meta.url));
const entry = fileURLToPath(new URL("../index.ts", import.meta.url));
const driver = pathToFileURL(createRequire(import.meta.url).resolve("better-sqlite3")).href;

/** Bundles the package into `folder`, so that plain Node can run it in other processes; gives the module's URL. */
export async function bundlePackage(folder: string): Promise<string> {
  await build({
    configFile: false,
    root: workspace,
    logLevel: "error",
    resolve: { tsconfigPaths: true },
    ssr: { noExternal: [/^@budgetkit\//], external: ["better-sqlite3"] },
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: "package.mjs", paths: { "better-sqlite3": driver } } },
    },
  });
  return pathToFileURL(join(folder, "package.mjs")).href;
}

export interface Child {
  /** What it has printed, once it ended or was killed. Rejects with its complaints when it failed. */
  readonly output: Promise<string>;
}

/** Starts a process that runs `script`, an ES module in which `sqliteStore` is at hand. */
export function startChild(packageUrl: string, script: string): Child {
  const source = `import { sqliteStore } from ${JSON.stringify(packageUrl)};\n${script}`;
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
  const output = once(child, "close").then(([code, signal]) => {
    if (code !== 0 && signal !== "SIGKILL") throw new Error(`the child process failed with ${code}: ${complaints}`);
    return printed;
  });
  return { output };
}
