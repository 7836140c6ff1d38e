// Runs in the browser. The address in the OpenAPI document may differ from that of the page, so requests go to the origin
// of the page. Its Content-Security-Policy allows no other origin.
const interfaceUrl = new URL("..", import.meta.url);
const container = document.getElementById("reference");

try {
  const response = await fetch(new URL("openapi.json", interfaceUrl));
  if (!response.ok) throw new Error(`the status is ${response.status}`);
  const description = await response.json();
  followColorScheme();
  window.SwaggerUIBundle({
    spec: { ...description, servers: [{ url: interfaceUrl.href.replace(/\/$/, "") }] },
    domNode: container,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    docExpansion: "none",
    filter: true,
    persistAuthorization: false,
    queryConfigEnabled: false,
    validatorUrl: null,
  });
} catch (error) {
  container.textContent = `The OpenAPI document could not be loaded: ${error.message}.`;
}

function followColorScheme() {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}
