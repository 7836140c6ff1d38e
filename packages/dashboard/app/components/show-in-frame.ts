/**
 * Shows a document in an empty frame of this page's origin. Its scripts do not run, its styles become sheets that the
 * strict policy allows, and it is scrolled to where the one before was.
 */
export function showInFrame(frame: HTMLIFrameElement, markup: string): void {
  const { contentDocument: shown } = frame;
  const view = shown?.defaultView;
  if (shown === null || view === null || view === undefined) return;
  const { scrollX, scrollY } = view;
  const { bare, sheets } = liftStyles(markup);
  const parsed = new DOMParser().parseFromString(bare, "text/html");
  for (const dangerous of parsed.querySelectorAll("script, iframe, object, embed, link, meta, base"))
    dangerous.remove();
  shown.adoptedStyleSheets = sheets.map((text) => sheetOf(view, text));
  shown.documentElement.lang = parsed.documentElement.lang;
  shown.documentElement.dir = parsed.documentElement.dir;
  shown.body.className = parsed.body.className;
  shown.body.replaceChildren(...[...parsed.body.childNodes].map((node) => shown.importNode(node, true)));
  shown.onclick = keepHere;
  view.scrollTo(scrollX, scrollY);
}

/** A link or a button of the document leads nowhere from here. Its elements are of another window: no class here fits. */
function keepHere(event: Event): void {
  const { target } = event;
  if (target === null || !("closest" in target) || typeof target.closest !== "function") return;
  if (target.closest("a, button") !== null) event.preventDefault();
}

function liftStyles(markup: string): { bare: string; sheets: readonly string[] } {
  const sheets: string[] = [];
  const bare = markup.replace(/<style>([^<]*)<\/style>/g, (_, sheet: string) => {
    sheets.push(sheet);
    return "";
  });
  return { bare, sheets };
}

/** A sheet of the frame's own window: those of another document are refused. */
function sheetOf(view: Window, text: string): CSSStyleSheet {
  const { CSSStyleSheet: Sheet } = view as Window & typeof globalThis;
  const sheet = new Sheet();
  sheet.replaceSync(text);
  return sheet;
}
