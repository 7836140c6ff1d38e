import { drawOne, type HostRequest } from "@budgetkit/testing";
import type { Route } from "../../packages/core/src/http/route.js";
import { routes } from "../../packages/core/src/http/route-table.js";
import { SAMPLES } from "../operations/operation-samples.js";
import { drawInput, type Hint } from "./drawn-input.js";
import { bodyText, mutateText, oneIn, type Random } from "./fuzz-values.js";

/** Who sends a request; `marker` goes into what they write, "" for those without a credential. */
export interface Caller {
  readonly credential: string;
  readonly marker: string;
}

/** Ids and tokens of earlier answers, by the path segment before them: `budgets` → ids of budgets. */
export type Known = Map<string, string[]>;

const MAX_KNOWN = 200;

/** Keeps the id or the token of an answer for later paths. */
export function remember(known: Known, path: string, text: string): void {
  const literals = /([\w-]+)(?:\?.*)?$/.exec(path)?.[1] === "public" ? ["budgets"] : path.match(/[a-z][\w-]+/g);
  const id = /"(?:id|delivery_id)":"([\w.:-]+)"/.exec(text)?.[1] ?? /"budgetId":(\d+)/.exec(text)?.[1];
  const token = /"publicToken":"([\w-]{43})"/.exec(text)?.[1];
  if (id !== undefined) for (const literal of literals ?? []) keep(known, literal, id);
  if (token !== undefined) keep(known, "p", token);
}

function keep(known: Known, place: string, value: string): void {
  const values = known.get(place) ?? [];
  known.set(place, values);
  values.push(value);
  if (values.length > MAX_KNOWN) values.splice(0, MAX_KNOWN / 2);
}

/** A request for any of the operations, valid in most of its parts and strange in some. */
export function fuzzRequest(
  random: Random,
  callers: readonly Caller[],
  known: Known,
  operations: readonly Route[] = routes,
): { request: HostRequest; caller: Caller; route: Route } {
  const route = drawOne(random, operations);
  const caller = callerFor(random, callers, route);
  const path = drawOne(random, route.paths).replace(/([\w-]+)\/\{\w+\}/g, (_, place: string) => {
    const values = oneIn(random, 10) ? undefined : known.get(place);
    return `${place}/${values === undefined ? drawOne(random, ["999999", "1", "A".repeat(43)]) : drawOne(random, values)}`;
  });
  // A public link shows its budget to every caller, of another business too.
  const marker = route.surface === "link" || caller.marker === "" ? "Ana" : `<${caller.marker}>`;
  const hint = hintsFor(random, marker, known);
  const { body, type } = drawBody(random, route, hint, marker);
  const headers: Record<string, string> = { ...SAMPLES[route.operationId]?.headers };
  if (caller.credential !== "") headers.authorization = `Bearer ${caller.credential}`;
  if (oneIn(random, 40)) headers.authorization = `Bearer ${mutateText(random, caller.credential)}`.slice(0, 500);
  if (body !== null) headers["content-type"] ??= type;
  for (const [name, values, rarity] of HEADERS) if (oneIn(random, rarity)) headers[name] = drawOne(random, values);
  const method = oneIn(random, 25) ? drawOne(random, METHODS) : route.method;
  const target = oneIn(random, 15) ? mutateText(random, path) : path;
  const query = drawQuery(random, route, hint);
  const request = { method, path: `/v1${target}${query}`, headers: latin1(headers), body };
  return { request, caller, route };
}

/** Mostly a caller with the kind of credential that the route takes. */
function callerFor(random: Random, callers: readonly Caller[], { auth }: Route): Caller {
  const isKey = ({ credential }: Caller) => credential.startsWith("bgk_");
  const fitting = callers.filter((caller) => auth.kind !== "user" || !isKey(caller));
  return drawOne(random, oneIn(random, 8) ? callers : fitting);
}

const FORM = "application/x-www-form-urlencoded";

function drawBody(
  random: Random,
  { body, operationId }: Route,
  hint: Hint,
  marker: string,
): { body: HostRequest["body"]; type: string } {
  const type = "application/json";
  if (body.reading === "none") return { body: oneIn(random, 30) ? "{}" : null, type };
  if (body.reading === "optional" && oneIn(random, 4)) return { body: null, type };
  const named = (name: string) => {
    const value = name === "mark" ? marker : hint(name);
    return String(value ?? "1");
  };
  const sample = SAMPLES[operationId]?.body;
  const value = sample === undefined || oneIn(random, 2) ? drawInput(random, body.schema, hint) : sample(named, named);
  if (body.fromForm !== null && oneIn(random, 2)) {
    const fields = Object.entries(Object(value)).map(([name, each]): [string, string] => [name, String(each)]);
    return { body: bodyText(random, new URLSearchParams(fields).toString()), type: FORM };
  }
  return { body: bodyText(random, value), type };
}

function drawQuery(random: Random, route: Route, hint: Hint): string {
  if (oneIn(random, 15)) return `?${drawOne(random, STRANGE_QUERIES)}`;
  const drawn = Object.entries(Object(drawInput(random, route.query, hint)));
  const given = drawn.map(([name, value]) => `${name}=${encodeURIComponent(queryText(random, value))}`);
  return given.length === 0 ? "" : `?${given.join("&")}`;
}

/** Numbers in a query are strings, and their schemas do not describe the digits. */
function queryText(random: Random, value: unknown): string {
  const drawn =
    typeof value === "string" && oneIn(random, 8) ? drawOne(random, ["", "0", "-1", "1e9", "\u0000"]) : value;
  return String(drawn).replace(/[\ud800-\udfff]/g, "?");
}

const DATES = ["2026-01-01", "2027-01-01", "2027-06-30T12:00:00Z", "2026-03-02T12:00:00+02:00", "2020-01-01"];

/** Values for fields with rules beyond their schema, by patterns of field names. */
const HINTS: readonly (readonly [field: RegExp, values: readonly unknown[]])[] = [
  [/(until|since|from|to|date|At|After|Before|day|month)$/i, DATES],
  [/currency/i, ["USD", "ARS", "JPY", "BHD", "usd"]],
  [/email$/i, ["north@example.com", "south@example.com", "ana@example.com", "no email"]],
  [/password$/i, ["correct horse battery", "wrong"]],
  [/url$/i, ["https://example.com/hooks", "https://example.com/other", "http://127.0.0.1/", "no url"]],
  [/secret$/i, ["a secret of thirty characters", "short"]],
  [/ips$/i, [["10.0.0.0/8", "::1"], ["127.0.0.1"], ["10/8"]]],
  [/^delaysSeconds$/, [[0, 1, 60], [0], [5]]],
  [/^(page|limit)$/, ["1", "2", "5", "100"]],
  [/^(min|max)Total$/, ["0", "12.5", "99999"]],
  [/^(quantity|unitPrice|amount)$/, [1, 2, 2.5, 10.5]],
  [/^taxRate$/, [0, 0.1, 0.21, 1]],
  [/^unit$/, ["h", "m²", "kg", "x".repeat(21)]],
  [/^discountRate$/, [0, 0.05, 0.333333, 1]],
  [/^discountAmount$/, [0, 0.01, 1, 2.5, 99_999]],
  [/^version$/, [1, 2, 3]],
];

function hintsFor(random: Random, marker: string, known: Known): Hint {
  return (field) => {
    for (const [pattern, values] of HINTS) if (pattern.test(field)) return drawOne(random, values);
    if (/Ids?$|^id$/.test(field)) {
      const ids = [...known].flatMap(([place, values]) => (place === "p" ? [] : values));
      return oneIn(random, 3) ? "c-1" : drawOne(random, ids);
    }
    return /^(notes|name|description|reason|comments|text)$/.test(field) ? marker : null;
  };
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PURGE"];

const HEADERS: readonly (readonly [name: string, values: readonly string[], rarity: number])[] = [
  [
    "content-type",
    ["", "text/plain", "application/json; charset=utf-8", "application/x+json", FORM, "a/b;;=", "json"],
    25,
  ],
  ["content-encoding", ["gzip", "identity", "br", ""], 60],
  ["accept", ["text/html", "application/problem+json", "*/*", "", "a,;q=x", "text/html;q=0.1,application/json"], 4],
  ["if-match", ['"v1"', '"v2"', "*", 'W/"v1"', '"v1", "v3"', "", "v1", '"v99999999999999999999"'], 10],
  ["if-none-match", ['"v1"', '"v2"', "*", 'W/"v1"', "", '"'], 5],
  ["idempotency-key", ["a", "b", "c", "d", "", "has space", "x".repeat(300), "ñ"], 6],
  ["x-request-id", ["mine", "", "has space", "x".repeat(200), "<b>"], 10],
  ["x-forwarded-for", ["1.2.3.4", "nonsense", "::1, 1.2.3.4"], 30],
];

const STRANGE_QUERIES = [
  "page=NaN",
  "page=1&page=2",
  "limit=1e9",
  "status=%00",
  "search=%F0%9F%99%82%ff",
  "cursor=AAAA",
  "__proto__=1",
  "=&&=&%",
  "a[b]=c",
  `search=${"x".repeat(300)}`,
];

/** Header values as a server hands them over: bytes without control characters. */
function latin1(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\u0020-\u00ff]/g, "?")]),
  );
}
