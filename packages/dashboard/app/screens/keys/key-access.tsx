import type { ApiKey } from "@budgetkit/client";
import { Tag } from "../../components/chip.js";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import styles from "./keys.module.css";

/** What the key may do, from where and until when. */
export function KeyAccess({ apiKey: key }: { readonly apiKey: ApiKey }) {
  const words = useWords().keys;
  const formats = useFormats();
  const nowMs = Date.now();
  return (
    <>
      <div className={styles.cardTitle}>
        <h2>{words.access}</h2>
      </div>
      <dl className={styles.facts}>
        <dt>{words.scopes}</dt>
        <dd className={styles.tags}>
          {key.scopes.map((scope) => (
            <Tag key={scope}>{words.scopeNames[scope]}</Tag>
          ))}
        </dd>
        <dt>{words.addresses}</dt>
        <dd>
          {key.allowedIps === null
            ? words.anywhere
            : key.allowedIps.map((address) => <code key={address}>{address}</code>)}
        </dd>
        <dt>{words.expires}</dt>
        <dd>
          {key.expiresAt === null
            ? words.never
            : `${formats.date(key.expiresAt)}, ${formats.until(key.expiresAt, nowMs)}`}
        </dd>
        <dt>{words.webhook}</dt>
        <dd>{key.webhookUrl === null ? words.noWebhook : <code>{key.webhookUrl}</code>}</dd>
        {key.revokedAt !== null && (
          <>
            <dt>{words.states.REVOKED}</dt>
            <dd>{formats.date(key.revokedAt)}</dd>
          </>
        )}
      </dl>
    </>
  );
}
