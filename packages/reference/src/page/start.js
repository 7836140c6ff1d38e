// Runs in the browser. The description names one address, and the page may have been reached under another: what is
// tried on the page is sent to where the page came from, and its policy allows nothing else.
const interfaceUrl = new URL("..", import.meta.url);
const place = document.getElementById("reference");

try {
  const answer = await fetch(new URL("openapi.json", interfaceUrl));
  if (!answer.ok) throw new Error(`it was answered ${answer.status}`);
  const description = await answer.json();
  followColorScheme();
  window.SwaggerUIBundle({
    spec: { ...description, servers: [{ url: interfaceUrl.href.replace(/\/$/, "") }] },
    domNode: place,
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
  place.textContent = `The description of the interface cannot be shown: ${error.message}.`;
}

function followColorScheme() {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}
