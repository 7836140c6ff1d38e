import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The files and the packages that an entry of core loads, directly or not. Imports of types load nothing. */
async function loadedBy(entry: string) {
  const { metafile } = await build({
    entryPoints: [join(root, "packages/core/src/entries", `${entry}.ts`)],
    absWorkingDir: root,
    outdir: join(root, "bundle"),
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  const imports = Object.values(metafile.inputs).flatMap((file) => file.imports);
  return {
    files: Object.keys(metafile.inputs),
    packages: [...new Set(imports.flatMap(({ path, external }) => (external === true ? [path] : [])))],
  };
}

describe("the pricing entry", () => {
  it("the pricing entry loads no schema library, no dates and nothing of Node", async () => {
    const { files, packages } = await loadedBy("pricing");
    expect(packages).toEqual(["neverthrow"]);
    expect(files.map((file) => file.split("/").slice(0, 4).join("/"))).toEqual(
      files.map(() => expect.stringMatching(/^packages\/core\/src\/(entries|kernel|pricing)$/)),
    );
  });

  it("the walk of imports finds what the main entry loads", async () => {
    const { packages } = await loadedBy("index");
    expect(packages).toEqual(expect.arrayContaining(["zod", "node:crypto"]));
  });
});
