import { createHash } from "node:crypto";
import type { RequestListener, ServerResponse } from "node:http";
import { prefersHtml } from "@budgetkit/core/http";

const STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { padding: 2rem; max-width: 28rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
ul { padding: 0; list-style: none; }
li { margin: .75rem 0; }
a { color: LinkText; font-weight: 600; }
small { display: block; opacity: .8; }`;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; img-src data:; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-cache",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  vary: "Accept",
};

/** What the server offers beside the API. */
export interface Offered {
  readonly dashboard: boolean;
  readonly reference: boolean;
}

/** Shows a browser at `/` where to go. Programs get the answer of `listener`, as at every other address. */
export function welcoming(listener: RequestListener, offered: Offered): RequestListener {
  const page = welcomePage(offered);
  return (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const isRoot = request.url === "/" || request.url?.startsWith("/?") === true;
    if (isRead && isRoot && prefersHtml(request.headers.accept ?? null))
      show(response, page, request.method === "HEAD");
    else listener(request, response);
  };
}

function show(response: ServerResponse, page: string, isHead: boolean): void {
  response.writeHead(200, { ...HEADERS, "content-length": Buffer.byteLength(page) });
  response.end(isHead ? undefined : page);
}

/** Its links are relative, so that they work below the prefix of a proxy. */
function welcomePage({ dashboard, reference }: Offered): string {
  const links = [
    ...(dashboard ? [link("dashboard", "Dashboard", "Sell, integrate and administer.")] : []),
    ...(reference ? [link("v1/docs", "Reference", "Every operation of the API, to try with a key.")] : []),
    link("healthz", "Health", "Whether the process lives."),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Budgetkit</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Budgetkit</h1>
<p>This server is running. The API is below <code>v1</code>.</p>
<ul>
${links.join("\n")}
</ul>
</main>
</body>
</html>
`;
}

function link(path: string, name: string, purpose: string): string {
  return `<li><a href="${path}">${name}</a><small>${purpose}</small></li>`;
}
