import { useState } from "react";
import { Dialog } from "../../components/dialog.js";
import { useWords } from "../../words/use-words.js";
import { ChooseStep } from "./choose-step.js";
import type { ImportKind, ImportValue } from "./import-kind.js";
import { MapStep } from "./map-step.js";
import type { PlannedRow } from "./plan-rows.js";
import type { CsvRows } from "./read-csv.js";
import { SendStep } from "./send-step.js";

interface Props<F extends string, I extends { readonly [Field in F]?: ImportValue }> {
  readonly kind: ImportKind<F, I>;
  readonly title: string;
  readonly labels: Readonly<Record<F, string>>;
  readonly onClose: () => void;
}

type Step<F extends string, I> =
  | { readonly name: "choose" }
  | { readonly name: "map"; readonly rows: CsvRows }
  | {
      readonly name: "send";
      readonly planned: readonly PlannedRow<F, I>[];
      readonly header: readonly string[];
      /** Part of each row's key: the same rows of the same file are created once. */
      readonly runId: string;
    };

/** Records from a file: choose it, see what its rows become, send them, and get back those that failed. */
export function ImportDialog<F extends string, I extends { readonly [Field in F]?: ImportValue }>(props: Props<F, I>) {
  const { kind, title, labels, onClose } = props;
  const words = useWords().customers.importing;
  const [step, setStep] = useState<Step<F, I>>({ name: "choose" });
  if (step.name === "choose") {
    return (
      <Dialog title={title} width="wide" onClose={onClose}>
        <ChooseStep
          fields={kind.fields.map(({ name }) => labels[name])}
          onRead={(rows) => setStep({ name: "map", rows })}
        />
      </Dialog>
    );
  }
  if (step.name === "map") {
    return (
      <MapStep
        kind={kind}
        title={title}
        labels={labels}
        rows={step.rows}
        onClose={onClose}
        onBack={() => setStep({ name: "choose" })}
        onStart={(planned, header) => setStep({ name: "send", planned, header, runId: newRunId() })}
      />
    );
  }
  return (
    <SendStep
      kind={kind}
      title={words.resultTitle}
      labels={labels}
      planned={step.planned}
      header={step.header}
      runId={step.runId}
      onClose={onClose}
    />
  );
}

/** `crypto.randomUUID` does not exist on pages without TLS. */
function newRunId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("");
}
