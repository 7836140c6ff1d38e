import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { MAX_DEPTH, MAX_VALUES, tooDeep, tooManyValues } from "./json-limits.js";
import { FIELD_CODES, type FieldCode, type FieldError, invalid, invalidFields, type Problem } from "./problem.js";

/** Errors that one response lists at most. */
const MAX_ERRORS = 100;
/** Paths contain keys that the client chose: long ones are cut. */
const MAX_PATH_SEGMENT = 64;

type Issue = z.core.$ZodIssue;

/**
 * Reads `input` by a schema.
 *
 * @returns the schema's output, or an `invalid` problem with one error for each refused field. The path of a field
 * reads `items[0].quantity`; the path of the whole input is "". Messages never repeat the input.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): Result<z.output<S>, Problem> {
  const parsed = schema.safeParse(input, PARSE_OPTIONS);
  if (parsed.success) return ok(parsed.data);
  const errors = parsed.error.issues.flatMap((issue) => fieldErrors(issue, []));
  return err(invalidFields(errors.slice(0, MAX_ERRORS)));
}

/** Issues carry the input, which distinguishes a missing value from a wrong one. It does not leave this file. */
const PARSE_OPTIONS: z.core.ParseContext<Issue> = { reportInput: true, error: describe };

function fieldErrors(issue: Issue, parents: readonly PropertyKey[]): FieldError[] {
  const path = [...parents, ...issue.path];
  const nested = issuesWithin(issue);
  if (nested !== null) return nested.flatMap((inner) => fieldErrors(inner, path));
  return [{ field: formatPath(path), code: fieldCode(issue), message: issue.message }];
}

/** The issues inside `issue`, where they are more precise; null when there are none. */
function issuesWithin(issue: Issue): readonly Issue[] | null {
  if (issue.code === "invalid_key") return issue.issues;
  return issue.code === "invalid_union" ? closestBranch(issue) : null;
}

/** The first member of a union that accepts the type and refuses an inner value; null when there is none. */
function closestBranch(issue: Extract<Issue, { code: "invalid_union" }>): readonly Issue[] | null {
  return issue.errors.find((branch) => branch.some((inner) => !refusesWhole(inner))) ?? null;
}

function refusesWhole(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_union");
}

function fieldCode(issue: Issue): FieldCode {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "REQUIRED" : "INVALID_TYPE";
    case "invalid_value":
      if (issue.input === undefined) return "REQUIRED";
      return issue.values.some((value) => typeof value === typeof issue.input) ? "INVALID_VALUE" : "INVALID_TYPE";
    case "invalid_union":
      if (issue.input === undefined) return "REQUIRED";
      return issue.errors.length === 0 ? "INVALID_VALUE" : "INVALID_TYPE";
    case "too_small":
      return measures(issue.origin) === "value" ? "MIN_VALUE" : "MIN_LENGTH";
    case "too_big":
      return measures(issue.origin) === "value" ? "MAX_VALUE" : "MAX_LENGTH";
    case "invalid_format":
      return "INVALID_FORMAT";
    case "custom":
      return isFieldCode(issue.params?.code) ? issue.params.code : "INVALID_VALUE";
    default:
      return "INVALID_VALUE";
  }
}

function isFieldCode(code: unknown): code is FieldCode {
  return FIELD_CODES.some((known) => known === code);
}

function measures(origin: string): "characters" | "entries" | "value" {
  if (origin === "string") return "characters";
  return origin === "array" || origin === "set" || origin === "map" ? "entries" : "value";
}

function formatPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`;
    else text += `${text === "" ? "" : "."}${String(segment).slice(0, MAX_PATH_SEGMENT)}`;
  }
  return text;
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["string", "text"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
  ["record", "an object"],
  ["null", "null"],
]);

/** The message of an issue whose schema has none of its own. */
function describe(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "This field is required.";
      return `This must be ${TYPE_NAMES.get(issue.expected) ?? "of another type"}.`;
    case "invalid_value":
      if (issue.input === undefined) return "This field is required.";
      return `This must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}.`;
    case "invalid_union":
      return issue.input === undefined ? "This field is required." : "This has none of the types that are allowed.";
    case "too_small":
      return `This must ${bound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}.`;
    case "too_big":
      return `This must ${bound(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}.`;
    case "invalid_format":
      return "This does not have the expected format.";
    default:
      return "This value is not allowed.";
  }
}

function bound(origin: string, side: string, limit: number | bigint): string {
  const measure = measures(origin);
  if (measure === "value") return `be ${side} ${limit}`;
  return `have ${side} ${limit} ${Number(limit) === 1 ? SINGULARS[measure] : measure}`;
}

const SINGULARS = { characters: "character", entries: "entry" } as const;

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Checks any JSON value from outside, before a schema reads it: nesting that could exhaust the stack, characters that a
 * store cannot keep (NUL, half a surrogate pair), numbers beyond doubles, and names that reach into prototypes.
 *
 * @returns a `malformed` or `invalid` problem; null = the value is fine.
 */
export function checkJsonShape(value: unknown): Problem | null {
  return inspect(value, { path: [], values: 0 });
}

/** The present path, and the number of values so far. */
interface Progress {
  readonly path: PropertyKey[];
  values: number;
}

function inspect(value: unknown, progress: Progress): Problem | null {
  progress.values += 1;
  if (progress.values > MAX_VALUES) return tooManyValues;
  if (typeof value === "string") return isStorable(value) ? null : unstorable(progress.path);
  if (typeof value === "number") return Number.isFinite(value) ? null : infinite(progress.path);
  if (typeof value !== "object" || value === null) return null;
  if (progress.path.length >= MAX_DEPTH) return tooDeep;
  return Array.isArray(value) ? inspectList(value, progress) : inspectObject(value, progress);
}

function inspectList(list: readonly unknown[], progress: Progress): Problem | null {
  for (let index = 0; index < list.length; index += 1) {
    progress.path.push(index);
    const problem = inspect(list[index], progress);
    if (problem !== null) return problem;
    progress.path.pop();
  }
  return null;
}

function inspectObject(object: object, progress: Progress): Problem | null {
  // Counted first: the list of entries needs several times the memory of the names.
  if (progress.values + Object.keys(object).length > MAX_VALUES) return tooManyValues;
  for (const [key, entry] of Object.entries(object)) {
    if (!isStorable(key)) return unstorable(progress.path);
    progress.path.push(key);
    if (FORBIDDEN_KEYS.has(key)) {
      return invalid(formatPath(progress.path), "INVALID_VALUE", "This name is reserved and cannot be used.");
    }
    const problem = inspect(entry, progress);
    if (problem !== null) return problem;
    progress.path.pop();
  }
  return null;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** True for text that every store can keep unchanged. */
function isStorable(text: string): boolean {
  return !text.includes("\u0000") && !LONE_SURROGATE.test(text);
}

/** JSON reads 1e999 as Infinity, and would write it as null. */
function infinite(path: readonly PropertyKey[]): Problem {
  return invalid(formatPath(path), "INVALID_TYPE", "This must be a number that a double can hold.");
}

function unstorable(path: readonly PropertyKey[]): Problem {
  return invalid(formatPath(path), "INVALID_FORMAT", "This contains characters that are not allowed.");
}

/** What a check of several fields sees: the value as far as it could be read, and the issues that it adds to. */
export type CheckedFields<T> = z.core.ParsePayload<T>;

/** A check of a schema that compares fields. It also runs beside other faults, so that a caller sees all of them at once. */
export function crossFieldCheck<T>(check: (fields: CheckedFields<T>) => void) {
  return z.core._check<T>(check, { when: canBeRead });
}

/** False where the whole value is refused. */
function canBeRead({ value, issues }: CheckedFields<unknown>): boolean {
  return issues.length === 0 || (typeof value === "object" && issues.every(({ path = [] }) => path.length > 0));
}
