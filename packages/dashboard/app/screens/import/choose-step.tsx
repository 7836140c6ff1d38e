import { FileUp } from "lucide-react";
import { useId, useRef, useState } from "react";
import { Button } from "../../components/button.js";
import field from "../../components/field.module.css";
import { TextArea } from "../../components/inputs.js";
import { useWords } from "../../words/use-words.js";
import { decodeText } from "./decode-text.js";
import styles from "./import.module.css";
import { CsvError, type CsvProblem, type CsvRows, MAX_BYTES, readCsv } from "./read-csv.js";

interface Props {
  /** What columns can be for. */
  readonly fields: readonly string[];
  readonly onRead: (rows: CsvRows) => void;
}

/** A file, by choosing or dropping it, or its text. */
export function ChooseStep({ fields, onRead }: Props) {
  const words = useWords().customers.importing;
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const [text, setText] = useState("");
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<CsvProblem | null>(null);
  const read = async (load: () => Promise<string>) => {
    setReading(true);
    setProblem(null);
    try {
      onRead(await readCsv(await load()));
    } catch (error) {
      setProblem(error instanceof CsvError ? error.problem : "broken");
      setReading(false);
    }
  };
  const readFile = (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > MAX_BYTES) return setProblem("tooLarge");
    void read(async () => decodeText(new Uint8Array(await file.arrayBuffer())));
  };
  return (
    <div className={styles.step}>
      <section
        className={styles.drop}
        aria-label={words.chooseFile}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          readFile(event.dataTransfer.files[0]);
        }}
      >
        <p>{words.dropText}</p>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          className="visually-hidden"
          tabIndex={-1}
          aria-label={words.chooseFile}
          onChange={(event) => readFile(event.target.files?.[0])}
        />
        <Button
          icon={FileUp}
          busy={isReading}
          aria-describedby={problem === null ? undefined : errorId}
          onClick={() => input.current?.click()}
        >
          {words.chooseFile}
        </Button>
        <p className={styles.hint}>{words.limits}</p>
      </section>
      {problem !== null && (
        <p id={errorId} role="alert" className={field.error}>
          {words.fileProblems[problem]}
        </p>
      )}
      <TextArea label={words.paste} rows={4} spellCheck={false} value={text} onChange={setText} />
      <div className={styles.actions}>
        <Button disabled={text.trim() === ""} busy={isReading} onClick={() => void read(async () => text)}>
          {words.readPasted}
        </Button>
      </div>
      <p className={styles.hint}>{words.fieldsThere(fields.join(", "))}</p>
    </div>
  );
}
