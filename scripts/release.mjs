// Publishes the packages whose version is not on npm; .github/workflows/release.yml runs it. npm verifies where a package
// was built and refuses a manifest that names another repository, so each manifest gets the repository of this run.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildAll } from "./build.mjs";
import { root, runPnpm } from "./pnpm.mjs";
import { packageFolders } from "./workspace.mjs";

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
if (!server || !repository) {
  console.error("This publishes from GitHub Actions, which says what the repository is.");
  process.exit(2);
}

for (const folder of packageFolders) nameRepository(folder);
const built = buildAll();
process.exitCode = built === 0 ? runPnpm("exec", "changeset", "publish") : built;

function nameRepository(folder) {
  const path = join(root, folder, "package.json");
  const manifest = {
    ...JSON.parse(readFileSync(path, "utf8")),
    repository: { type: "git", url: `git+${server}/${repository}.git`, directory: folder },
    homepage: `${server}/${repository}/tree/main/${folder}#readme`,
    bugs: `${server}/${repository}/issues`,
  };
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}
