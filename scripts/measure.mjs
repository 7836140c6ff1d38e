// Prints the sizes of the sources: lines, files, folders, and the length of functions.
// Usage: node scripts/measure.mjs [folder ...]. Default: core, both stores and the Redis limiter.
import { dirname } from "node:path";
import { LIMITS, measureSources } from "./measure-sources.mjs";

const folders = process.argv.slice(2);
const { files, functions, longFunctions, longFiles, smallFiles } = measureSources(
  folders.length > 0 ? folders : undefined,
);
const lengths = functions.map(({ lines }) => lines).sort((a, b) => a - b);
const perFolder = new Map();
for (const { path } of files) perFolder.set(dirname(path), (perFolder.get(dirname(path)) ?? 0) + 1);

console.log(`lines      ${files.reduce((sum, { lines }) => sum + lines, 0)}`);
console.log(
  `files      ${files.length}, in ${perFolder.size} folders; most in one: ${Math.max(...perFolder.values())}`,
);
console.log(`functions  ${lengths.length}: median ${at(0.5)} lines, p90 ${at(0.9)}, longest ${lengths.at(-1)}`);
list(`functions above ${LIMITS.functionLines} lines`, longFunctions);
list(`files above ${LIMITS.fileLines} lines`, longFiles);
list(`files below ${LIMITS.smallFileLines} lines that are no entry or port`, smallFiles);

function at(share) {
  return lengths[Math.ceil(lengths.length * share) - 1];
}

function list(title, entries) {
  console.log(`${title}: ${entries.length}`);
  for (const { path, lines } of entries) console.log(`  ${lines} ${path}`);
}
