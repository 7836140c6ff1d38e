import type { Manifest, ViewerFile } from "./manifest.js";

/** The page around the viewer. Its links are relative, so that it works wherever the interface is mounted. */
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
<noscript><p class="note">Without JavaScript there is <a href="openapi.json">the description for machines</a>.</p></noscript>
<footer class="note"><p>Shown by Swagger UI (<a rel="license" href="docs/${licenses.name}">licenses</a>). Keys that
you paste stay in this page until it is closed, and are sent to this interface alone.</p></footer>
</body>
</html>
`;
}

/**
 * Two scripts run, told by their content, whatever else the host serves from the same address; what they fetch comes
 * from there too. Images in the viewer's style are part of it.
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
