import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Evidence } from "@budgetkit/client/evidence";
import { z } from "zod";
import { linesOf } from "../lines/lines-of.js";
import { StartFailure } from "../terminal/failures.js";

/** Evidence to verify. */
export interface FoundEvidence {
  readonly line: number | null; // of an export; null = the file is the evidence
  readonly budgetId: string | null; // that the export names; null = as `line`
  readonly evidence: Uint8Array | Evidence;
}

/** The evidence of a file: an evidence.json, whose bytes count, or an export, one line in memory at a time. */
export async function* evidenceIn(path: string): AsyncGenerator<FoundEvidence> {
  try {
    if (!(await isExport(path))) yield { line: null, budgetId: null, evidence: await readFile(path) };
    else yield* evidenceOfExport(path);
  } catch (error) {
    throw error instanceof StartFailure ? error : new StartFailure(`${path} cannot be read.`);
  }
}

const exportLine = z.object({ type: z.literal("export") });
const evidenceLine = z.object({
  type: z.literal("evidence"),
  data: z.object({
    budgetId: z.string(),
    evidence: z.object({ payload: z.string(), protected: z.string(), signature: z.string() }),
  }),
});

async function isExport(path: string): Promise<boolean> {
  for await (const text of linesOf(createReadStream(path))) return exportLine.safeParse(parseJson(text)).success;
  return false;
}

async function* evidenceOfExport(path: string): AsyncGenerator<FoundEvidence> {
  let line = 0;
  for await (const text of linesOf(createReadStream(path))) {
    line += 1;
    const value = text === "" ? null : parseJson(text);
    if (value === undefined) throw new StartFailure(`line ${line}: is not JSON.`);
    if (!isEvidence(value)) continue;
    const parsed = evidenceLine.safeParse(value);
    if (!parsed.success) throw new StartFailure(`line ${line}: has no evidence in the form of an export.`);
    const { budgetId, evidence } = parsed.data.data;
    yield { line, budgetId, evidence };
  }
}

function isEvidence(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && value.type === "evidence";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
