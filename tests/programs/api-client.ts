/** An answer of the API. The test knows the type of the body. */
interface ApiAnswer {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

/**
 * Sends a JSON request with a key or a login token. Each request has its own connection: a server may close an idle one
 * just when a busy client uses it again.
 */
export async function ask(
  url: string,
  credential: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json", connection: "close" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${url}/v1${path}`, { method, headers, ...sent });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
