import type { Manifest, ViewerFile } from "./manifest.js";

/** The HTML page of the viewer. Its links are relative, so that it works under any mount point. */
export function pageOf({ viewer, viewerStyle, start, pageStyle, licenses }: Manifest): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Budgetkit: reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" ${fileAt("href", viewerStyle)}>
<link rel="stylesheet" ${fileAt("href", pageStyle)}>
<script defer ${fileAt("src", viewer)}></script>
<script type="module" ${fileAt("src", start)}></script>
</head>
<body>
<div id="reference"></div>
<noscript><p class="note">This page needs JavaScript. The <a href="openapi.json">OpenAPI document</a> does not.</p></noscript>
<footer class="note"><p>Powered by Swagger UI (<a rel="license" href="docs/${licenses.name}">licenses</a>). A pasted key is
kept until you close the page, and is sent to this service only.</p></footer>
</body>
</html>
`;
}

/**
 * Allows two scripts, by their digests, so that no other file of the host can run; they may fetch from the same origin
 * only. `data:` images are in the viewer's style sheet.
 */
export function policyOf({ viewer, start }: Manifest): string {
  return [
    "default-src 'none'",
    `script-src '${integrityOf(viewer)}' '${integrityOf(start)}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function fileAt(attribute: "href" | "src", file: ViewerFile): string {
  return `${attribute}="docs/${file.name}" integrity="${integrityOf(file)}"`;
}

function integrityOf({ sha256 }: ViewerFile): string {
  return `sha256-${Buffer.from(sha256, "hex").toString("base64")}`;
}
