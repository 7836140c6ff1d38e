import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { secretsSchema } from "./settings.js";
import { StartFailure } from "./start-failure.js";

export interface KeptSecrets {
  readonly secrets: readonly string[];
  /** False when there was a file already. */
  readonly isNew: boolean;
}

/** 384 bits as text that needs no quoting. */
export function generateSecret(): string {
  return randomBytes(48).toString("base64url");
}

/**
 * The secrets in the file at `path`, which is made when there is none. Of several processes that start at once all
 * get the same. Throws a StartFailure for a file that holds something else.
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

/** Puts a file in place whole and only where there is none; false when somebody else was first. */
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
