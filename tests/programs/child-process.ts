import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The packages that tests run in other processes: what a script finds imported, with the driver that stays outside. */
const PACKAGES = {
  "limiter-redis": { exported: "redisLimiter", driver: "ioredis" },
  "store-postgres": { exported: "postgresStore", driver: "pg" },
  "store-sqlite": { exported: "sqliteStore", driver: null }, // the package looks for one
} as const;

/** Starts a process of plain Node that runs `script`, an ES module in which the package's function and driver are imported. */
export type StartChild = (script: string) => Child;

interface Child {
  /** The standard output, once the process has ended or was killed. Rejects with the standard error when it failed. */
  readonly output: Promise<string>;
  /** Sends a message and resolves to the next message of the process. Rejects when the process ends first. */
  ask(message: string): Promise<unknown>;
  kill(): Promise<void>;
}

/** Bundles a package of this repository into `folder`, so that plain Node can import it. */
export async function bundlePackage(name: keyof typeof PACKAGES, folder: string): Promise<StartChild> {
  const { exported, driver } = PACKAGES[name];
  const source = join(root, "packages", name, "src/index.ts");
  const outside = driver === null ? {} : { [driver]: pathToFileURL(createRequire(source).resolve(driver)).href };
  if (driver === null) linkModules(folder);
  await build({
    configFile: false,
    root,
    logLevel: "error",
    resolve: { tsconfigPaths: true },
    ssr: { noExternal: true, external: Object.keys(outside) },
    build: {
      ssr: source,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: "package.mjs", paths: outside } },
    },
  });
  const imports = [
    `import { ${exported} } from ${JSON.stringify(pathToFileURL(join(folder, "package.mjs")).href)};`,
    ...Object.entries(outside).map(([driver, url]) => `import ${driver} from ${JSON.stringify(url)};`),
  ];
  return (script) => startChild([...imports, script].join("\n"));
}

/** A package finds what is installed here, as in an application. */
function linkModules(folder: string): void {
  const link = join(folder, "node_modules");
  if (!existsSync(link)) symlinkSync(join(root, "node_modules"), link, "dir");
}

function startChild(source: string): Child {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let printed = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => {
    printed += String(chunk);
  });
  child.stderr?.on("data", (chunk) => {
    errors += String(chunk);
  });
  const ended = once(child, "close");
  const output = ended.then(([code, signal]) => {
    if (code !== 0 && signal !== "SIGKILL") throw new Error(`the child process failed with ${code}: ${errors}`);
    return printed;
  });
  output.catch(() => {}); // a test that asks the process does not wait for its output
  const tooEarly = ended.then(([code, signal]) => {
    throw new Error(`the child process ended with ${code ?? signal}: ${errors}`);
  });
  tooEarly.catch(() => {});
  return {
    output,
    ask: async (message) => {
      const reply = once(child, "message").then(([given]): unknown => given);
      child.send(message);
      return Promise.race([reply, tooEarly]);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
