// Fails when a function or a file of the sources is too long, or when too many files are very small.
import { LIMITS, measureSources } from "./measure-sources.mjs";

const { longFunctions, longFiles, smallFiles } = measureSources();
const faults = [
  ...longFunctions.map(({ path, lines }) => `${path}: a function of ${lines} lines; at most ${LIMITS.functionLines}`),
  ...longFiles.map(({ path, lines }) => `${path}: ${lines} lines; at most ${LIMITS.fileLines}`),
];
if (smallFiles.length > LIMITS.smallFiles) {
  faults.push(
    `${smallFiles.length} files are below ${LIMITS.smallFileLines} lines and no entry or port; at most ` +
      `${LIMITS.smallFiles}. Merge some with their neighbours:`,
    ...smallFiles.map(({ path, lines }) => `  ${path}: ${lines} lines`),
  );
}
for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
