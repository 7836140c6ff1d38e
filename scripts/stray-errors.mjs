// A reporter of vitest that keeps the errors that no test has caught, which the JSON report leaves out.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./pnpm.mjs";

// biome-ignore lint/style/noDefaultExport: vitest asks for one
export default class StrayErrors {
  onTestRunEnd(_modules, errors) {
    const texts = errors.map(({ stack, message }) =>
      String(stack ?? message)
        .split("\n")
        .slice(0, 6)
        .join("\n"),
    );
    writeFileSync(join(root, ".report/stray-errors.json"), JSON.stringify(texts));
  }
}
