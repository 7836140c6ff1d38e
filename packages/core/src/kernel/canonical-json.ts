/**
 * The canonical JSON of a value that JSON can express: members in the order of their UTF-16 names, without white space.
 * Source: RFC 8785 (JCS). Texts and numbers are those of `JSON.stringify`, as the RFC asks. Like there, `undefined` is left
 * out, or null in an array, and `toJSON` is called. Throws a TypeError for what has no such form: numbers that are not
 * finite, halves of surrogate pairs.
 */
export function canonicalJson(value: unknown): string {
  if (!isInOrder(value)) return sortedJson(value);
  const text = JSON.stringify(value);
  return ESCAPED_SURROGATE.test(text) ? sortedJson(value) : text;
}

/** `JSON.stringify` writes half a surrogate pair so. A text that contains a backslash may look the same. */
const ESCAPED_SURROGATE = /\\ud[89a-f]/;

/**
 * Whether `JSON.stringify` writes the canonical form, which costs a third of {@link sortedJson}. Texts are not read: the
 * written form shows theirs.
 */
function isInOrder(value: unknown): boolean {
  if (typeof value === "string") return true;
  if (typeof value !== "object" || value === null) return assertForm(value);
  if ("toJSON" in value) return false;
  if (Array.isArray(value)) return value.every((element) => element === undefined || isInOrder(element));
  let last = "";
  for (const name of Object.keys(value)) {
    const member: unknown = Reflect.get(value, name); // Object.entries costs more
    if (name < last || (member !== undefined && !isInOrder(member))) return false;
    last = name;
  }
  return true;
}

function sortedJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return assertForm(value) ? JSON.stringify(value) : "";
  if ("toJSON" in value && typeof value.toJSON === "function") return sortedJson(value.toJSON());
  if (Array.isArray(value)) {
    // A hole of an array is passed over by map and join, and would leave no JSON.
    return `[${Array.from(value, (element) => (element === undefined ? "null" : sortedJson(element))).join(",")}]`;
  }
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, name);
    if (member !== undefined) members.push(`${sortedJson(name)}:${sortedJson(member)}`);
  }
  return `{${members.join(",")}}`;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** True, or a TypeError. */
function assertForm(value: unknown): true {
  const hasForm =
    value === null ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value)) ||
    (typeof value === "string" && !LONE_SURROGATE.test(value));
  if (!hasForm) throw new TypeError(`canonical JSON has no form for this ${typeof value}`);
  return true;
}
