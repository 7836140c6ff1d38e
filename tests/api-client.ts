/** An answer of the interface, read whole; what the body holds is what a test is about. */
interface ApiAnswer {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
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
  return { status: response.status, body: JSON.parse(await response.text()) };
}
