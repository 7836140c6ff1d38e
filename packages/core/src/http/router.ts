/** The part of a route that the router reads. */
export interface Routable {
  readonly method: string;
  /** Patterns such as `/api-keys/{keyId}`: the canonical path, then its aliases. */
  readonly paths: readonly [string, ...string[]];
}

export type RouteMatch<R> =
  | { readonly kind: "found"; readonly route: R; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "wrong-method"; readonly allowed: readonly string[] }
  | { readonly kind: "unknown" };

export interface Router<R> {
  /** `path` is below the mount point, without its query and still encoded. HEAD matches GET routes. */
  match(method: string, path: string): RouteMatch<R>;
}

/**
 * Builds a router. It compares undecoded paths segment by segment, so an encoded letter, a trailing or doubled slash or a
 * dot segment never matches another route. It decodes parameters alone; a parameter with an encoded slash, a control
 * character or broken encoding does not match.
 *
 * Throws an Error for two routes with the same method and path.
 */
export function createRouter<R extends Routable>(routes: readonly R[]): Router<R> {
  const root = emptyNode<R>();
  for (const route of routes) for (const pattern of route.paths) addRoute(root, pattern, route);
  return {
    match: (method, path) => {
      const values: string[] = [];
      const node = descend(root, path, values);
      if (node === null || node.endpoints.size === 0) return { kind: "unknown" };
      const endpoint = node.endpoints.get(method === "HEAD" ? "GET" : method);
      if (endpoint === undefined) return { kind: "wrong-method", allowed: allowedMethods(node) };
      return { kind: "found", route: endpoint.route, params: nameValues(endpoint.names, values) };
    },
  };
}

/** Removes `/v1` segments: clients put the version in the base URL, the path, or both. */
export function withoutVersion(path: string): string {
  let rest = path;
  while (rest.startsWith("/v1/")) rest = rest.slice(3);
  return rest === "/v1" || rest === "" ? "/" : rest;
}

interface Node<R> {
  readonly literals: Map<string, Node<R>>;
  readonly endpoints: Map<string, Endpoint<R>>; // by method
  parameter: Node<R> | null;
  readonly suffixed: Map<string, Node<R>>; // parameters with a fixed end, by the end: `.pdf` of `{token}.pdf`
}

interface Endpoint<R> {
  readonly route: R;
  readonly names: readonly string[]; // of the parameters, in path order
}

function emptyNode<R>(): Node<R> {
  return { literals: new Map(), endpoints: new Map(), parameter: null, suffixed: new Map() };
}

const PARAMETER = /^\{(\w+)\}(\.\w+)?$/;

function addRoute<R extends Routable>(root: Node<R>, pattern: string, route: R): void {
  const names: string[] = [];
  let node = root;
  for (const segment of pattern.slice(1).split("/")) {
    const [, name, suffix] = PARAMETER.exec(segment) ?? [];
    if (name !== undefined && suffix !== undefined) {
      names.push(name);
      const next = node.suffixed.get(suffix) ?? emptyNode<R>();
      node.suffixed.set(suffix, next);
      node = next;
    } else if (name === undefined) {
      const next = node.literals.get(segment) ?? emptyNode<R>();
      node.literals.set(segment, next);
      node = next;
    } else {
      names.push(name);
      node.parameter ??= emptyNode<R>();
      node = node.parameter;
    }
  }
  if (node.endpoints.has(route.method)) throw new Error(`two routes for ${route.method} ${pattern}`);
  node.endpoints.set(route.method, { route, names });
}

function descend<R>(root: Node<R>, path: string, values: string[]): Node<R> | null {
  if (!path.startsWith("/")) return null;
  let node = root;
  let start = 1;
  while (start <= path.length) {
    const slash = path.indexOf("/", start);
    const end = slash === -1 ? path.length : slash;
    const segment = path.slice(start, end);
    const literal = node.literals.get(segment);
    if (literal !== undefined) {
      node = literal;
    } else {
      const suffix = suffixIn(node, segment);
      const next = suffix === null ? node.parameter : (node.suffixed.get(suffix) ?? null);
      const value = next === null ? null : decodeParameter(segment.slice(0, segment.length - (suffix?.length ?? 0)));
      if (next === null || value === null) return null;
      values.push(value);
      node = next;
    }
    start = end + 1;
  }
  return node;
}

/** The fixed end of a parameter here that the segment has; null = it has none. */
function suffixIn<R>({ suffixed }: Node<R>, segment: string): string | null {
  if (suffixed.size === 0) return null;
  const dot = segment.lastIndexOf(".");
  const suffix = dot === -1 ? "" : segment.slice(dot);
  return suffixed.has(suffix) ? suffix : null;
}

const MAX_PARAMETER_LENGTH = 512;
const PLAIN = /^[A-Za-z0-9_~:-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const HIDDEN = /[/\\\u0000-\u001f\u007f]/;

/** The decoded value; null = no match: empty, a dot segment, an encoded slash or broken encoding. */
function decodeParameter(segment: string): string | null {
  if (segment.length > MAX_PARAMETER_LENGTH) return null;
  if (PLAIN.test(segment)) return segment;
  try {
    const value = decodeURIComponent(segment);
    return value === "" || value === "." || value === ".." || HIDDEN.test(value) ? null : value;
  } catch {
    return null;
  }
}

function nameValues(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) params[name] = values[index] ?? "";
  return params;
}

function allowedMethods<R>(node: Node<R>): string[] {
  return [...node.endpoints.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}
