import { OWN_HEADERS } from "../../../start/api.js";

/** Sends a request as `fetch` does, and reports how much of its body is sent, from 0 to 1: `fetch` itself cannot. */
export function uploadFetch(onProgress: (sent: number) => void): typeof fetch {
  return async (input, init = {}) => {
    const request = new Request(input, { ...init, body: null });
    const body = init.body instanceof FormData || init.body instanceof Blob ? init.body : null;
    return new Promise<Response>((resolve, reject) => {
      const sender = new XMLHttpRequest();
      sender.open(request.method, request.url);
      sender.responseType = "blob";
      for (const [name, value] of new Headers(init.headers)) sender.setRequestHeader(name, value);
      for (const [name, value] of Object.entries(OWN_HEADERS)) sender.setRequestHeader(name, value);
      sender.upload.onprogress = ({ lengthComputable, loaded, total }) => {
        if (lengthComputable) onProgress(loaded / total);
      };
      sender.onload = () => resolve(responseOf(sender));
      sender.onerror = () => reject(new TypeError("The connection failed."));
      sender.onabort = () => reject(init.signal?.reason ?? new DOMException("Aborted", "AbortError"));
      init.signal?.addEventListener("abort", () => sender.abort(), { once: true });
      sender.send(body);
    });
  };
}

function responseOf(sender: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of sender.getAllResponseHeaders().trim().split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const body: unknown = sender.response;
  return new Response(body instanceof Blob ? body : null, { status: sender.status, headers });
}
