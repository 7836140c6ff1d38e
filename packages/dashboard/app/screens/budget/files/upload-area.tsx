import { Upload as UploadIcon, X } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { Button, IconButton } from "../../../components/button.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import styles from "./files.module.css";
import { useUploads } from "./use-uploads.js";

/** Takes files by a button or dropped on it, and shows how much of each is sent. */
export function UploadArea({ budgetId }: { readonly budgetId: string }) {
  const words = useWords().budget.files;
  const formats = useFormats();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const { uploads, add } = useUploads(budgetId);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    add(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the other way beside the button in it
    <div
      className={`${styles.area} ${isOver ? styles.over : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <div className={styles.line}>
        <span>{words.drop}</span>
        <Button icon={UploadIcon} onClick={() => input.current?.click()}>
          {words.add}
        </Button>
        <span className={styles.limit}>{words.limit}</span>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            add(target.files ?? []);
            target.value = "";
          }}
        />
      </div>
      {uploads.map(({ key, fileName, sent, cancel }) => (
        <div key={key} className={styles.upload}>
          <span dir="auto">{fileName}</span>
          <progress value={sent} aria-label={words.uploading(fileName)} />
          <span className={styles.limit}>{formats.percent(sent)}</span>
          <IconButton icon={X} label={words.cancel(fileName)} size="small" onClick={cancel} />
        </div>
      ))}
    </div>
  );
}
