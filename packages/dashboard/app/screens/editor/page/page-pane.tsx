import { Moon, Smartphone, Sun } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "../../../components/button.js";
import { showInFrame } from "../../../components/show-in-frame.js";
import { Segmented } from "../../../components/tabs.js";
import { useWords } from "../../../words/use-words.js";
import type { UnsavedBody } from "../document/previewable.js";
import styles from "./page-pane.module.css";
import { type ShownAs, useShownDocument } from "./use-shown-document.js";

interface Props {
  /** Null = there is nothing to show yet. */
  readonly body: UnsavedBody | null;
  /** The first line of text of the line that is being written, which is scrolled to; null = none. */
  readonly editing: string | null;
}

type View = "phone" | "desktop" | "pdf" | "mail";

const SHOWN_AS: Readonly<Record<View, ShownAs>> = { phone: "page", desktop: "page", pdf: "pdf", mail: "mail" };
const LANGUAGES = ["en", "es", "pt", "de", "fr", "it", "nl", "ja", "ar", "he"] as const;
const WIDTHS: Readonly<Record<View, number>> = { phone: 390, desktop: 1_100, pdf: 0, mail: 640 };

/** The page of the customer, as it will be once the budget is saved and sent. */
export function PagePane({ body, editing }: Props) {
  const words = useWords().editor.page;
  const [view, setView] = useState<View>("phone");
  const [language, setLanguage] = useState("");
  const [isDark, setDark] = useState(false);
  const { shown, isLoading, message } = useShownDocument(body, {
    as: SHOWN_AS[view],
    language,
    appearance: isDark ? "dark" : "light",
  });
  const views = (["phone", "desktop", "pdf", "mail"] as const).map((value) => ({ value, label: words.views[value] }));
  return (
    <aside className={styles.pane} aria-label={words.title}>
      <div className={styles.bar}>
        <Segmented label={words.view} value={view} options={views} onChange={setView} />
        <span className={styles.wishes}>
          <select
            className={styles.language}
            aria-label={words.language}
            value={language}
            onChange={(event) => setLanguage(event.target.value)}
          >
            <option value="">{words.ownLanguage}</option>
            {LANGUAGES.map((each) => (
              <option key={each} value={each}>
                {nameOf(each)}
              </option>
            ))}
          </select>
          <IconButton
            icon={isDark ? Sun : Moon}
            kind="secondary"
            label={isDark ? words.light : words.dark}
            aria-pressed={isDark}
            disabled={view === "pdf"}
            onClick={() => setDark(!isDark)}
          />
        </span>
      </div>
      <div className={`${styles.stage} ${styles[view]}`} aria-busy={isLoading}>
        {body === null && shown === null && (
          <p className={styles.empty}>
            <Smartphone size={20} aria-hidden="true" />
            {words.empty}
          </p>
        )}
        {shown?.kind === "page" && (
          <PageFrame markup={shown.markup} width={WIDTHS[view]} title={words.title} editing={editing} />
        )}
        {shown?.kind === "pdf" && <iframe className={styles.frame} src={shown.url} title={words.title} />}
      </div>
      {message !== null && (
        <p className={styles.message} role="status">
          {words.notShown(message)}
        </p>
      )}
    </aside>
  );
}

interface FrameProps {
  readonly markup: string;
  readonly width: number;
  readonly title: string;
  readonly editing: string | null;
}

/** A frame of its own width, made smaller where the pane is narrower. */
function PageFrame({ markup, width, title, editing }: FrameProps) {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (isReady && frame.current !== null) showInFrame(frame.current, markup);
  }, [isReady, markup]);
  useEffect(() => {
    const shown = frame.current?.contentDocument;
    if (!isReady || shown === null || shown === undefined || editing === null || editing === "") return;
    const found = [...shown.querySelectorAll("li, tr, label, article")].find(({ textContent }) =>
      textContent?.includes(editing),
    );
    const box = found?.getBoundingClientRect();
    const view = shown.defaultView;
    if (box === undefined || view === null) return;
    if (box.top < 0 || box.bottom > view.innerHeight) view.scrollBy(0, box.top - view.innerHeight / 3);
  }, [isReady, editing]);
  const scale = size.width === 0 ? 1 : Math.min(1, size.width / width);
  return (
    <div ref={box} className={styles.box}>
      <iframe
        ref={frame}
        className={styles.page}
        title={title}
        sandbox="allow-same-origin"
        srcDoc="<!doctype html>"
        onLoad={() => setReady(true)}
        style={{ width, height: size.height / scale, scale: `${scale}` }}
      />
    </div>
  );
}

function nameOf(language: string): string {
  return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
}
