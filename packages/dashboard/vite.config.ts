import { defineConfig } from "vite";
import { compressAssets } from "./build/compress-assets.js";

/** The browser's side: one document, and scripts that are loaded as screens need them. */
export default defineConfig({
  root: "app",
  base: "./", // where it is mounted is known at run time only
  plugins: [compressAssets()],
  build: {
    outDir: "../dist/app",
    emptyOutDir: true,
    assetsInlineLimit: 0, // a strict policy allows files, not data
    target: "es2022",
    license: { fileName: "licenses.md" },
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { moduleLevelDirective: false } }, // "use client" means nothing here
  },
});
