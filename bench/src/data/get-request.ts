import type autocannon from "autocannon";

/** A read with an API key: both sides take it in the same header. */
export function get(path: string, key = ""): autocannon.Request {
  return { method: "GET", path, headers: { authorization: `Bearer ${key}` } };
}
