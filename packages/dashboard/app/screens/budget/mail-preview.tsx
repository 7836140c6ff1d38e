import type { Budget } from "@budgetkit/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { DocumentFrame } from "../../components/document-frame.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import styles from "./actions/actions.module.css";
import type { MailLanguage } from "./mail-languages.js";
import { previewedContent } from "./previewed-content.js";

interface Props {
  readonly budget: Budget;
  readonly message: string;
  /** Empty = that of the business. */
  readonly language: MailLanguage | "";
}

const PAUSE_MS = 400;

/** The mail as the customer gets it, as soon as the person stops writing. */
export function MailPreview({ budget, message, language }: Props) {
  const words = useWords().budget.actions.send;
  const written = useSettled(message.trim());
  const { data, error } = useQuery({
    queryKey: ["budget", budget.id, "mail-preview", budget.version, written, language],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const content = { ...previewedContent(budget), ...(written === "" ? {} : { message: written }) };
      const query = { as: "mail" as const, ...(language === "" ? {} : { language }) };
      return (await (await api.budgets.previewDocument(content, query, { signal })).blob()).text();
    },
  });
  return (
    <section className={styles.preview} aria-label={words.preview}>
      <h3>{words.preview}</h3>
      {data !== undefined ? (
        <div className={styles.paper}>
          <DocumentFrame title={words.preview} markup={data} />
        </div>
      ) : (
        <p role="status">{error === null ? words.previewLoading : words.previewFailed}</p>
      )}
    </section>
  );
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return settled;
}
