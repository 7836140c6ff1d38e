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
    plugins: [() => ({ fn: { resolveSubtree: async (document, path) => resolvedAt(document, path) } })],
    queryConfigEnabled: false,
    requestInterceptor: (request) =>
      asOwn(withOwnKey(request, description.components.parameters.IdempotencyKey.example)),
    validatorUrl: null,
  });
} catch (error) {
  container.textContent = `The OpenAPI document could not be loaded: ${error.message}.`;
}

/**
 * A part of the document with its references followed, each with the name that the viewer shows. The viewer's own way
 * reads the whole document again for every operation that is opened, which takes seconds.
 */
function resolvedAt(document, path) {
  const at = (steps) => steps.reduce((part, step) => part?.[step], document);
  const resolved = (value, outer) => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((each) => resolved(each, outer));
    const { $ref, ...others } = value;
    if (typeof $ref !== "string" || outer.includes($ref)) {
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(each, outer)]));
    }
    const steps = $ref.split("/").slice(1); // past the "#"
    return { ...resolved(at(steps), [...outer, $ref]), ...others, $$ref: $ref };
  };
  return { spec: resolved(at(path), []), errors: [] };
}

/** Each call with the prefilled Idempotency-Key is a call of its own: under one key, another body would be refused. */
function withOwnKey(request, prefilled) {
  if (request.headers?.["Idempotency-Key"] === prefilled) {
    const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID needs HTTPS
    request.headers["Idempotency-Key"] = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  return request;
}

/** The dashboard calls the interface for its signed-in user, and wants a header that no other site can send. */
function asOwn(request) {
  request.headers = { ...request.headers, "x-budgetkit-dashboard": "1" };
  return request;
}

function followColorScheme() {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}
