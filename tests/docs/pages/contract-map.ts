import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A row of docs/contract.md: what is promised, by which operations, and which tests prove it. */
export interface ContractRow {
  readonly line: number;
  readonly promise: string;
  readonly operations: readonly string[];
  readonly waitsFor: string | null; // what is being built still; null = nothing
  readonly proofs: readonly Proof[];
}

interface Proof {
  readonly file: string; // below one of the places where tests are
  readonly title: string; // the whole of it, as it stands in the file
}

const NAME = /`(\w+)`/g;
const WAITS = /^pending: (.+)$/;
const PROOF = /`([\w./-]+)` "([^"]+)"/g;

/** The rows of the tables of a page. A row has three cells; the first two lines of a table are none. */
export function contractRows(markdown: string): ContractRow[] {
  const lines = markdown.split("\n");
  return lines.flatMap((text, index) => {
    const isHeader = lines[index + 1]?.startsWith("|---") === true;
    if (!text.startsWith("|") || text.startsWith("|---") || isHeader) return [];
    const [promise = "", operations = "", proofs = ""] = text
      .slice(1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    return {
      line: index + 1,
      promise,
      operations: [...operations.matchAll(NAME)].map(([, name = ""]) => name),
      waitsFor: WAITS.exec(operations)?.[1] ?? null,
      proofs: [...proofs.matchAll(PROOF)].map(([, file = "", title = ""]) => ({ file, title })),
    };
  });
}

/** Reads a test file by its path below one of the places where tests are; null = there is none. */
export type ReadTest = (file: string) => string | null;

/** Where the paths of proofs begin. */
const PLACES = ["", "packages/core/src", "packages/testing/src", "packages"];

export function testReader(root: string): ReadTest {
  return (file) => {
    const path = PLACES.map((place) => join(root, place, file)).find((each) => existsSync(each));
    return path === undefined ? null : readFileSync(path, "utf8");
  };
}

/** What is wrong with the rows, in words; an empty list when every operation has its row and every row its proof. */
export function contractFaults(rows: readonly ContractRow[], operations: readonly string[], read: ReadTest): string[] {
  const named = new Set(rows.flatMap((row) => row.operations));
  return [
    ...operations.filter((name) => !named.has(name)).map((name) => `the operation ${name} has no row`),
    ...rows.flatMap((row) => faultsOf(row, operations, read).map((fault) => `line ${row.line}: ${fault}`)),
  ];
}

function faultsOf({ operations, waitsFor, proofs }: ContractRow, known: readonly string[], read: ReadTest): string[] {
  const unknown = operations.filter((name) => !known.includes(name)).map((name) => `there is no operation ${name}`);
  const unproven = proofs.length === 0 && waitsFor === null ? ["no test is named"] : [];
  return [...unknown, ...unproven, ...proofs.flatMap((proof) => faultOfProof(proof, read) ?? [])];
}

function faultOfProof({ file, title }: Proof, read: ReadTest): string | null {
  const text = read(file);
  if (text === null) return `there is no file ${file}`;
  const isThere = [`"${title}"`, `\`${title}\``].some((literal) => text.includes(literal));
  return isThere ? null : `${file} has no case "${title}"`;
}
