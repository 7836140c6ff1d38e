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

export interface Child {
  /** What it has printed, once it ended or was killed. Rejects with its complaints when it failed. */
  readonly output: Promise<string>;
}

/** Starts a process that runs `script`, an ES module in which `postgresStore` and `pg` are at hand. */
export function startChild(packageUrl: string, script: string): Child {
  const imports = [`{ postgresStore } from ${JSON.stringify(packageUrl)}`, `pg from ${JSON.stringify(driver)}`];
  const source = [...imports.map((imported) => `import ${imported};`), script].join("\n");
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
