/**
 * The canonical JSON of a value that JSON can express: members in the order of their UTF-16 names, without white space.
 * Members that are `undefined` are left out. Source: RFC 8785 (JCS). Texts and numbers are those of `JSON.stringify`, as
 * the RFC asks. Throws a TypeError for what has no such form: numbers that are not finite, halves of surrogate pairs.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string" && !LONE_SURROGATE.test(value)) return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === "boolean" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object") return `{${membersOf(value)}}`;
  throw new TypeError(`canonical JSON has no form for this ${typeof value}`);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Joined step by step: every commit writes entries of the ledger this way. */
function membersOf(value: object): string {
  let text = "";
  for (const [name, member] of Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (member !== undefined) text += `${text === "" ? "" : ","}${canonicalJson(name)}:${canonicalJson(member)}`;
  }
  return text;
}
