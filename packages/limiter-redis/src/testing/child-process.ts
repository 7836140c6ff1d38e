import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

const workspace = fileURLToPath(new URL("../../../..", import.meta.url));
const entry = fileURLToPath(new URL("../index.ts", import.meta.url));
const driver = pathToFileURL(createRequire(import.meta.url).resolve("ioredis")).href;

/** Bundles the package into `folder`, so that plain Node can run it in other processes; gives the module's URL. */
export async function bundlePackage(folder: string): Promise<string> {
  await build({
    configFile: false,
    root: workspace,
    logLevel: "error",
    resolve: { tsconfigPaths: true },
    ssr: { noExternal: [/^@budgetkit\//] },
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: "package.mjs" } },
    },
  });
  return pathToFileURL(join(folder, "package.mjs")).href;
}

/**
 * A process that runs `script`, an ES module in which `redisLimiter` and `Redis` are at hand, and that answers messages.
 */
export interface Child {
  /** Sends a message and gives the answer to it. */
  ask(message: string): Promise<unknown>;
  kill(): Promise<void>;
}

export function startChild(packageUrl: string, script: string): Child {
  const imports = `import { redisLimiter } from ${JSON.stringify(packageUrl)};
    import ioredis from ${JSON.stringify(driver)};
    const { Redis } = ioredis;`;
  const child: ChildProcess = spawn(process.execPath, ["--input-type=module", "--eval", `${imports}\n${script}`], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const end = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the child process ended with ${code ?? signal}`);
  });
  end.catch(() => {});
  return {
    ask: async (message) => {
      const answer = once(child, "message").then(([given]): unknown => given);
      child.send(message);
      return Promise.race([answer, end]);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await end.catch(() => {});
    },
  };
}
