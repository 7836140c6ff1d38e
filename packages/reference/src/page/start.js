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
    requestInterceptor: (request) => withOwnKey(request, description.components.parameters.IdempotencyKey.example),
    validatorUrl: null,
  });
} catch (error) {
  container.textContent = `The OpenAPI document could not be loaded: ${error.message}.`;
}

/** Each call with the prefilled Idempotency-Key is a call of its own: under one key, another body would be refused. */
function withOwnKey(request, prefilled) {
  if (request.headers?.["Idempotency-Key"] === prefilled) {
    const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID needs HTTPS
    request.headers["Idempotency-Key"] = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  return request;
}

function followColorScheme() {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}
