import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** What the build of the dashboard's page writes, in small. */
const DOCUMENT = `<!doctype html>
<html lang="en" data-base="" data-session="">
<head>
<meta charset="utf-8">
<title>Budgetkit</title>
<link rel="icon" href="./favicon.svg">
<link rel="stylesheet" href="./assets/index-C3d4.css">
<script type="module" src="./assets/index-A1b2.js"></script>
</head>
<body><div id="app"></div></body>
</html>
`;

/** Shows what the service answers about the session. */
export const SCRIPT = `const { base, session } = document.documentElement.dataset;
const answer = await fetch(base + "/session");
const { data } = JSON.parse(await answer.text());
document.getElementById("app").textContent = session + " " + (data?.email ?? "signed out");
`;

/** Makes such a folder, and removes it with `remove`. */
export function makeAppFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "budgetkit-dashboard-"));
  mkdirSync(join(path, "assets"));
  writeFileSync(join(path, "index.html"), DOCUMENT);
  writeFileSync(join(path, "favicon.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  for (const [name, text] of Object.entries({ "index-A1b2.js": SCRIPT, "index-C3d4.css": "body { margin: 0 }\n" })) {
    const file = join(path, "assets", name);
    writeFileSync(file, text);
    writeFileSync(`${file}.br`, brotliCompressSync(text));
    writeFileSync(`${file}.gz`, gzipSync(text));
  }
  writeFileSync(join(path, "assets", "secret.env"), "never served");
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
