import type { SignedAcceptance } from "@budgetkit/client/evidence";
import type { ReactNode } from "react";
import { CopyButton } from "../../../components/copy-button.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import { useActorName } from "../use-actor-name.js";
import styles from "./evidence.module.css";

interface Props {
  readonly signed: SignedAcceptance;
  readonly kid: string;
}

/** What was signed, as a list of names and values. */
export function SignedFacts({ signed, kid }: Props) {
  const words = useWords().budget.evidence;
  const formats = useFormats();
  const nameOf = useActorName();
  const { acceptance } = signed;
  const { signature, consent, language, address, userAgent } = acceptance;
  return (
    <dl className={styles.facts}>
      <Fact label={words.acceptedBy}>{acceptance.name ?? nameOf(acceptance.by)}</Fact>
      <Fact label={words.at}>{formats.dateTime(acceptance.at)}</Fact>
      <Fact label={words.channel}>{words.channels[acceptance.channel]}</Fact>
      {signature !== null && (
        <Fact label={words.signature}>
          <Drawing path={signature} label={words.drawn} />
        </Fact>
      )}
      {signature === null && acceptance.name !== null && <Fact label={words.signature}>{words.typed}</Fact>}
      {consent !== null && <Fact label={words.consent}>{consent}</Fact>}
      {language !== null && <Fact label={words.language}>{language}</Fact>}
      {address !== null && <Fact label={words.address}>{address}</Fact>}
      {userAgent !== null && <Fact label={words.device}>{userAgent}</Fact>}
      <Fact label={words.version}>{signed.content.revision}</Fact>
      <Hash label={words.contentHash} value={signed.contentHash} />
      {signed.offerHash !== undefined && <Hash label={words.offerHash} value={signed.offerHash} />}
      {signed.selectionHash !== undefined && <Hash label={words.selectionHash} value={signed.selectionHash} />}
      {signed.previous !== null && <Hash label={words.previous} value={signed.previous} />}
      <Hash label={words.key} value={kid} />
      <Fact label={words.issuer}>{signed.issuer}</Fact>
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

function Hash({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <Fact label={label}>
      <code>{value}</code> <CopyButton text={value} />
    </Fact>
  );
}

/** The drawn signature: the data of a path, which the service has checked; an attribute runs nothing. */
function Drawing({ path, label }: { readonly path: string; readonly label: string }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 600 200" role="img" aria-label={label}>
      <path d={path} fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
