import { useQuery } from "@tanstack/react-query";
import { Download, ShieldCheck, ShieldX } from "lucide-react";
import { Button } from "../../components/button.js";
import { CodeBlock } from "../../components/code-block.js";
import { JsonCode } from "../../components/json-code.js";
import { jsonText } from "../../components/json-tokens.js";
import { ErrorPanel } from "../../components/notices.js";
import { Section } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { useFormats } from "../../formats/use-formats.js";
import { useSession } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { checkedCheckpointQuery } from "./checked-checkpoint.js";
import styles from "./events.module.css";

/** The last entry of the ledger as the service signed it, checked in this browser. */
export function Ledger() {
  const { businessId } = useSession();
  const { data, error, refetch, isFetching } = useQuery(checkedCheckpointQuery(businessId));
  const words = useWords();
  const formats = useFormats();
  if (error !== null) {
    const title = words.common.couldNotLoad(words.events.checkpoint);
    return <ErrorPanel title={title} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonRows rows={4} />;
  const { file, verification } = data;
  const name = `checkpoint-${businessId}.json`;
  return (
    <Section
      title={words.events.checkpoint}
      actions={
        <>
          <Button busy={isFetching} onClick={() => void refetch()}>
            {words.events.checkAgain}
          </Button>
          <Button icon={Download} kind="primary" onClick={() => saveText(name, file)}>
            {words.events.download}
          </Button>
        </>
      }
    >
      <p>{words.events.proves}</p>
      {verification.ok ? (
        <div className={styles.sound} role="status">
          <p className={styles.verdict}>
            <ShieldCheck size={18} aria-hidden="true" />
            {words.events.sound}
          </p>
          <dl className={styles.facts}>
            <dt>{words.events.lastEntry}</dt>
            <dd>{formats.number(verification.signed.sequence)}</dd>
            <dt>{words.events.hash}</dt>
            <dd>
              <code>{verification.signed.hash ?? words.events.noHash}</code>
            </dd>
            <dt>{words.events.signedAt}</dt>
            <dd>{formats.dateTime(verification.signed.at)}</dd>
            <dt>{words.events.signedBy}</dt>
            <dd>
              <code>{verification.signed.issuer}</code>
            </dd>
            <dt>{words.events.signingKey}</dt>
            <dd>
              <code>{verification.kid}</code>
            </dd>
          </dl>
        </div>
      ) : (
        <p className={styles.faulty} role="alert">
          <ShieldX size={18} aria-hidden="true" />
          {words.events.faulty(verification.field, verification.reason)}
        </p>
      )}
      <p className={styles.count}>{words.events.keepIt}</p>
      <CodeBlock label={words.events.file} copied={file}>
        <JsonCode {...jsonText(data.checkpoint)} />
      </CodeBlock>
      <CodeBlock label={words.events.checkLater} copied={CHECK_LATER}>
        {CHECK_LATER}
      </CodeBlock>
    </Section>
  );
}

const CHECK_LATER = "budgetkit verify checkpoint.json --jwks jwks.json";

function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
