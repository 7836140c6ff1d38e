import { drawInteger, drawOne, type seededRandom } from "@budgetkit/testing";

export type Random = ReturnType<typeof seededRandom>;

export function oneIn(random: Random, chances: number): boolean {
  return drawInteger(random, chances) === 0;
}

/** Most bodies are sent as they are; some have a value replaced, some are broken as text. */
export function bodyText(random: Random, body: unknown): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return oneIn(random, 4) ? mutateText(random, body) : body;
  const changed = oneIn(random, 2) ? mutateValue(random, body) : body;
  const text = JSON.stringify(changed) ?? "";
  if (oneIn(random, 300)) return `${text.slice(0, -1)},"padding":"${"x".repeat(1024 * 1024)}"}`;
  if (oneIn(random, 40)) return random.bytes(drawInteger(random, 200));
  if (oneIn(random, 15))
    return text.replace(/-?\d+(\.\d+)?/, drawOne(random, ["NaN", "1e400", "-Infinity", "01", "1e-400", "-0"]));
  return oneIn(random, 20) ? mutateText(random, text) : text;
}

const STRANGE: readonly unknown[] = [
  null,
  true,
  "",
  " ",
  "\u0000",
  "\ud800",
  "🙂".repeat(100),
  "x".repeat(12_000),
  "2026-02-30",
  "2026-03-02T24:00:00Z",
  "0",
  0,
  -0,
  -1,
  0.1,
  0.0000001,
  1e21,
  1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  [],
  {},
  [[[]]],
  new Array(600).fill({ description: "x", quantity: 1, unitPrice: 1 }),
  new Array(30_000).fill(0),
  { constructor: 1 },
  JSON.parse('{"__proto__":{"admin":true}}'),
  JSON.parse(`${'{"a":'.repeat(33)}1${"}".repeat(33)}`),
  JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`),
  Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, index])),
];

/** A copy in which one value, chosen by chance, is strange, gone, or has company. */
function mutateValue(random: Random, value: unknown): unknown {
  if (oneIn(random, 6) || typeof value !== "object" || value === null) return drawOne(random, STRANGE);
  if (Array.isArray(value)) {
    const index = drawInteger(random, value.length + 1);
    return [...value.slice(0, index), mutateValue(random, value[index]), ...value.slice(index + 1)];
  }
  const entries = Object.entries(value);
  const index = drawInteger(random, entries.length + 1);
  const [name, old] = entries[index] ?? [
    drawOne(random, ["unknown", "id", "status", "businessId", "", "a.b", "total"]),
    0,
  ];
  const rest = entries.filter(([each]) => each !== name);
  return Object.fromEntries(oneIn(random, 5) ? rest : [...rest, [name, mutateValue(random, old)]]);
}

const FRAGMENTS = [
  "/",
  "//",
  "..",
  "/../",
  "%2f",
  "%00",
  "%",
  "%zz",
  "?",
  "#",
  "{",
  '"',
  "\\",
  ":",
  "é",
  "/v1",
  " ",
  "'",
  ";",
];

/** Text with a piece of it gone, doubled, or something put in between. */
export function mutateText(random: Random, text: string): string {
  const at = drawInteger(random, text.length + 1);
  const end = Math.min(text.length, at + drawInteger(random, 5));
  switch (drawInteger(random, 3)) {
    case 0:
      return text.slice(0, at) + text.slice(end);
    case 1:
      return text.slice(0, end) + text.slice(at);
    default:
      return text.slice(0, at) + drawOne(random, FRAGMENTS) + text.slice(at);
  }
}
