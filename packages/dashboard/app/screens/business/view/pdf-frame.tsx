import { useEffect, useState } from "react";
import styles from "./live-view.module.css";

/** A PDF in the browser's own viewer, which works in no sandbox. */
export function PdfFrame({ title, content }: { readonly title: string; readonly content: Blob }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(content);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return url === null ? null : <iframe key={url} className={styles.pdf} title={title} src={url} />;
}
