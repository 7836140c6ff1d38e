import { useEffect, useRef, useState } from "react";
import styles from "./document-frame.module.css";

interface Props {
  /** What the frame shows, for screen readers. */
  readonly title: string;
  /** A page or mail that the service rendered. */
  readonly markup: string;
}

/**
 * Shows a document in a frame in which nothing runs. Its styles become sheets of the frame, since the policy of this page
 * allows no inline styles.
 */
export function DocumentFrame({ title, markup }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    if (isReady && frame.current !== null) fill(frame.current, markup);
  }, [isReady, markup]);
  return (
    <iframe
      ref={frame}
      title={title}
      className={styles.frame}
      sandbox="allow-same-origin"
      srcDoc="<!doctype html>"
      onLoad={() => setReady(true)}
    />
  );
}

const DANGEROUS = "script, iframe, object, embed, link, meta, base";

function fill({ contentDocument: shown }: HTMLIFrameElement, markup: string): void {
  const view = shown?.defaultView ?? null;
  if (shown === null || view === null) return;
  const sheets: string[] = [];
  const bare = markup.replace(/<style>([^<]*)<\/style>/g, (_, sheet: string) => {
    sheets.push(sheet);
    return "";
  });
  const parsed = new DOMParser().parseFromString(bare, "text/html");
  for (const element of parsed.querySelectorAll(DANGEROUS)) element.remove();
  shown.adoptedStyleSheets = sheets.map((text) => sheetOf(view, text));
  shown.documentElement.lang = parsed.documentElement.lang;
  shown.documentElement.dir = parsed.documentElement.dir;
  shown.body.className = parsed.body.className;
  shown.body.replaceChildren(...[...parsed.body.childNodes].map((node) => shown.importNode(node, true)));
}

/** A sheet of the frame's own window: a document refuses those of another one. */
function sheetOf(view: Window, text: string): CSSStyleSheet {
  const { CSSStyleSheet: Sheet } = view as Window & typeof globalThis;
  const sheet = new Sheet();
  sheet.replaceSync(text);
  return sheet;
}
