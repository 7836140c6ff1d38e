/** An answer of the interface, read whole. */
export interface ApiAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is what the test is about
  readonly body: any;
}

/** Asks a server at `url` with a key or a login token; bodies are JSON. */
export async function ask(
  url: string,
  credential: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${url}/v1${path}`, { method, headers, ...sent });
  return { status: response.status, body: await response.json() };
}
