import "../../components/mono.css";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { ButtonAnchor } from "../../components/button.js";
import { CodeBlock } from "../../components/code-block.js";
import { CopyButton } from "../../components/copy-button.js";
import { ErrorPanel } from "../../components/notices.js";
import { Card, Page, Section } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { businessQuery } from "../../queries/business.js";
import { serviceAddressQuery } from "../../queries/ledger.js";
import { ownFetch } from "../../start/api.js";
import { mount } from "../../start/mount.js";
import { useWords } from "../../words/use-words.js";
import { firstCalls } from "./first-calls.js";
import styles from "./reference.module.css";

const SERVICE = `${mount.base}/service`;

/** Where programs begin. The reference allows no frame around it, so it opens in a tab of its own, signed in. */
export function ReferenceScreen() {
  const words = useWords();
  const { data: hasPage } = useQuery({
    queryKey: ["business", "reference-page"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await ownFetch(`${SERVICE}/docs`, { method: "HEAD", signal })).ok,
  });
  return (
    <Page title={words.shell.reference}>
      <p>{words.reference.intro}</p>
      <Card>
        <div className={styles.line}>
          <p>{hasPage === false ? words.reference.missing : words.reference.openText}</p>
          {hasPage === true && (
            <ButtonAnchor kind="primary" icon={ExternalLink} href={`${SERVICE}/docs`} target="_blank" rel="noreferrer">
              {words.reference.open}
              <span className="visually-hidden"> ({words.reference.opensTab})</span>
            </ButtonAnchor>
          )}
        </div>
      </Card>
      <Address />
      <Section title={words.reference.forPrograms}>
        <ul className={styles.links}>
          <li>
            <a href={`${SERVICE}/openapi.json`} target="_blank" rel="noreferrer">
              {words.reference.openApi}
            </a>
            <p className={styles.note}>{words.reference.openApiText}</p>
          </li>
          <li>
            <a href={`${SERVICE}/.well-known/jwks.json`} target="_blank" rel="noreferrer">
              {words.reference.signingKeys}
            </a>
            <p className={styles.note}>{words.reference.signingKeysText}</p>
          </li>
        </ul>
      </Section>
    </Page>
  );
}

function Address() {
  const { data: address, error, refetch } = useQuery(serviceAddressQuery);
  const { data: business } = useSuspenseQuery(businessQuery);
  const words = useWords();
  if (error !== null) {
    const title = words.common.couldNotLoad(words.reference.address);
    return <ErrorPanel title={title} error={error} onRetry={() => void refetch()} />;
  }
  if (address === undefined) return <SkeletonRows rows={4} />;
  return (
    <>
      <Section title={words.reference.address}>
        <p className={styles.address}>
          <code>{address}</code>
          <CopyButton text={address} />
        </p>
        <p className={styles.note}>{words.reference.addressText}</p>
      </Section>
      <Section title={words.reference.firstCalls} actions={<Link to="/keys">{words.reference.toKeys}</Link>}>
        <p className={styles.note}>
          {words.reference.needsKey} {words.reference.createBudgetNote}
        </p>
        <div className={styles.calls}>
          {firstCalls(address, business.currency ?? "USD").map(({ name, command }) => (
            <CodeBlock key={name} label={words.reference[name]} copied={command}>
              {command}
            </CodeBlock>
          ))}
        </div>
      </Section>
    </>
  );
}
