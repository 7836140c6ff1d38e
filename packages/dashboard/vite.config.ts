import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { compressAssets } from "./build/compress-assets.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Its own packages are built in from their sources: what the screens show needs no other build. */
const sourceOf = (path: string) => here(`../${path}`);

/** The browser's side: one document, and scripts that are loaded as screens need them. */
export default defineConfig({
  root: here("app"),
  base: "./", // where it is mounted is known at run time only
  plugins: [compressAssets()],
  resolve: {
    alias: [
      { find: /^@budgetkit\/client$/, replacement: sourceOf("client/src/index.ts") },
      { find: /^@budgetkit\/client\/evidence$/, replacement: sourceOf("client/src/evidence.ts") },
      { find: /^@budgetkit\/core\/pricing$/, replacement: sourceOf("core/src/entries/pricing.ts") },
    ],
  },
  build: {
    outDir: here("dist/app"),
    emptyOutDir: true,
    assetsInlineLimit: 0, // a strict policy allows files, not data
    target: "es2022",
    license: { fileName: "licenses.md" },
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { moduleLevelDirective: false } }, // "use client" means nothing here
  },
});
