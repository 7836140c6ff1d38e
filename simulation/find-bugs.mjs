// Applies each patch of simulation/bugs to a copy of the sources, and reports the first seed that finds the bug.
//   node simulation/find-bugs.mjs [--explain] [part of a name] …
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";

const SEEDS = 2_000;
const root = fileURLToPath(new URL("..", import.meta.url));
const bugs = join(root, "simulation/bugs");
const explains = process.argv.includes("--explain"); // prints the smallest run of each
const wanted = process.argv.slice(2).filter((each) => each !== "--explain");
const isWanted = (name) => wanted.length === 0 || wanted.some((part) => name.includes(part));

let missed = 0;
for (const name of readdirSync(bugs).filter(isWanted).sort()) {
  const folder = mkdtempSync(join(tmpdir(), "planted-bug-"));
  try {
    const report = await find(join(bugs, name), folder);
    if (!report.isFound) missed += 1;
    if (explains) console.log(report.whole);
    console.log(
      `${report.isFound ? "found    " : "NOT FOUND"}  ${name.replace(".patch", "").padEnd(40)} ${report.text}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(missed === 0 ? "Every bug was found." : `${missed} bugs were not found.`);
process.exitCode = missed === 0 ? 0 : 1;

/** Runs the simulation on the patched sources, up to the first violation. */
async function find(patch, folder) {
  const text = readFileSync(patch, "utf8");
  const paths = [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path]) => path);
  for (const path of paths) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  run("git", ["apply", "--whitespace=nowarn", patch], folder);
  const overlay = new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const program = join(folder, "simulation.mjs");
  await bundle(program, overlay);
  const store = /^Store: (\w+)$/m.exec(text)?.[1] ?? "memory";
  const world = /^World: (\w+)$/m.exec(text)?.[1] ?? "service";
  const options = [
    "--seeds",
    String(SEEDS),
    "--world",
    world,
    "--store",
    store,
    "--workers",
    "1",
    ...(explains ? [] : ["--brief"]),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...options], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const line = (stdout.trim() || stderr.trim()).split("\n")[0] ?? "";
  return { isFound: status === 1 && line.startsWith("seed "), text: line, whole: stdout };
}

function run(command, args, cwd) {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}
