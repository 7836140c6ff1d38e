import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleSlash } from "lucide-react";
import { useDeferredValue, useEffect, useState } from "react";
import { FormError } from "../../../components/form-error.js";
import { useFormats } from "../../../formats/use-formats.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../webhooks.module.css";
import { filterOf, problemsOf, type WebhookDraft } from "./webhook-draft.js";

const TESTED = 20;
const PAUSE_MS = 350;

/** Which of the last events the endpoint would have received. Nothing is sent. */
export function FilterMatch({ draft }: { readonly draft: WebhookDraft }) {
  const words = useWords().webhooks;
  const formats = useFormats();
  const { url: _, addresses: __, ...problems } = problemsOf(draft);
  const isRight = !Object.values(problems).includes(true);
  const asked = usePaused(JSON.stringify({ events: draft.events, filter: filterOf(draft), limit: TESTED }));
  const { data, error } = useQuery({
    queryKey: ["webhooks", "filter-test", asked],
    queryFn: ({ signal }) => api.webhooks.testFilter(JSON.parse(asked), { signal }),
    enabled: isRight,
    placeholderData: keepPreviousData,
  });
  const shown = useDeferredValue(data);
  if (!isRight) return null;
  if (error !== null) return <FormError error={error} />;
  if (shown === undefined) return null;
  if (shown.tested === 0) return <p className={styles.note}>{words.nothingToMatch}</p>;
  return (
    <div className={styles.match}>
      <p role="status">
        <strong>{words.matched(formats.number(shown.matched), formats.number(shown.tested))}</strong>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard */}
      <ul className={styles.tested} tabIndex={0} aria-label={words.testedEvents}>
        {shown.events.map(({ id, event, timestamp, matches, reasons }) => (
          <li key={id}>
            {matches ? (
              <CircleCheck size={14} className={styles.good} aria-label={words.wouldMatch} />
            ) : (
              <CircleSlash size={14} className={styles.quiet} aria-label={words.wouldNotMatch} />
            )}
            <code>{event}</code>
            <span className={styles.reason}>{reasons.map(({ message }) => message).join(" ")}</span>
            <time dateTime={timestamp}>{formats.dateTime(timestamp)}</time>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The text, once it has stayed the same for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setPaused(text), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return paused;
}
