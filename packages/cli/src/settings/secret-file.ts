import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { StartFailure } from "../terminal/failures.js";
import type { Settings } from "./settings.js";
import { secretsSchema } from "./settings.js";

export interface KeptSecrets {
  readonly secrets: readonly string[];
  /** False = the file existed. */
  readonly isNew: boolean;
}

/** 384 bits as text that needs no quoting. */
export function generateSecret(): string {
  return randomBytes(48).toString("base64url");
}

/**
 * The secrets in the file at `path`, which is created when it is missing. Processes that start at once get the same
 * secrets. Throws a StartFailure for a file with other content.
 */
export function keepSecrets(path: string): KeptSecrets {
  const found = read(path);
  if (found !== null) return { secrets: check(path, found), isNew: false };
  const isNew = create(path, `${generateSecret()}\n`);
  return { secrets: check(path, read(path) ?? ""), isNew };
}

function check(path: string, text: string): readonly string[] {
  const parsed = secretsSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new StartFailure(`${path} holds no secret. Put it back from a copy, or set BUDGETKIT_SECRET.`);
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw new StartFailure(`${path} cannot be read (${codeOf(error)}).`);
  }
}

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Creates the file atomically; false = another process created it first. */
function create(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
    rmSync(draft, { force: true });
    const file = openSync(draft, "wx", OWNER_ONLY);
    writeSync(file, text);
    fsyncSync(file);
    closeSync(file);
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw new StartFailure(`${path} cannot be written (${codeOf(error)}).`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** The secrets of the environment, else of the file beside the database. An in-memory database needs no file. */
export function secretsOf({ BUDGETKIT_SECRET: given, DATABASE_URL: database }: Settings): KeptSecrets {
  if (given !== null) return { secrets: given, isNew: false };
  if (database.kind === "file") return keepSecrets(`${database.path}-secret`);
  return { secrets: [generateSecret()], isNew: true };
}
