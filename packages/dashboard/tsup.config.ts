import { join } from "node:path";
import { library } from "../../tsup.base.js";

export default library(
  { index: "src/index.ts" },
  {
    shims: true, // where the page is, in CommonJS
    // Here, and not as a script of its own: every build of the package has the page, and tsup empties dist first.
    onSuccess: async () => {
      const { build } = await import("vite");
      await build({ configFile: join(import.meta.dirname, "vite.config.ts"), logLevel: "warn" });
    },
  },
);
