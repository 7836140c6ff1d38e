import type { Customer } from "@budgetkit/client";
import { CopyButton } from "../../components/copy-button.js";
import { Section } from "../../components/page.js";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import { metadataText } from "../records/metadata.js";
import records from "../records/records.module.css";
import styles from "./customers.module.css";

export function CustomerContact({ customer }: { readonly customer: Customer }) {
  const texts = useWords().customers;
  const formats = useFormats();
  const { email, phone, metadata } = customer;
  const facts = (["taxCondition", "cuit", "dni", "address", "externalId"] as const).flatMap((field) => {
    const value = customer[field];
    return value === null ? [] : [{ label: texts.fields[field], value }];
  });
  return (
    <Section title={texts.contact}>
      <dl className={styles.facts}>
        {email !== null && (
          <div>
            <dt>{texts.fields.email}</dt>
            <dd>
              <a href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}>{email}</a>{" "}
              <CopyButton text={email} />
            </dd>
          </div>
        )}
        {phone !== null && (
          <div>
            <dt>{texts.fields.phone}</dt>
            <dd>
              <a href={`tel:${phone.replace(/[^\d+]/g, "")}`}>{phone}</a>
            </dd>
          </div>
        )}
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
        <div>
          <dt>{texts.fields.id}</dt>
          <dd>{customer.id}</dd>
        </div>
        <div>
          <dt>{texts.added}</dt>
          <dd>{formats.date(customer.createdAt)}</dd>
        </div>
      </dl>
      {Object.keys(metadata).length > 0 && (
        <details className={records.more}>
          <summary>{texts.fields.metadata}</summary>
          <pre className={styles.metadata}>{metadataText(metadata)}</pre>
        </details>
      )}
    </Section>
  );
}
