import type { CreateCustomer, Customer } from "@budgetkit/client";
import { useState } from "react";
import { fieldErrorOf } from "../../components/field-errors.js";
import { TextArea, TextField } from "../../components/inputs.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { FormDialog } from "../records/form-dialog.js";
import styles from "../records/records.module.css";
import { useRecordForm } from "../records/use-record-form.js";
import { CUSTOMER_FIELDS, customerDraftOf, customerInputOf, EMPTY_CUSTOMER } from "./customer-draft.js";

interface Props {
  /** Null = a new one. */
  readonly customer: Customer | null;
  readonly onClose: () => void;
  readonly onSaved?: (customer: Customer) => void;
}

const FIELDS = [...CUSTOMER_FIELDS, "id", "metadata"];

/** Creates a customer, or changes it: the service checks each field. */
export function CustomerDialog({ customer, onClose, onSaved }: Props) {
  const words = useWords();
  const texts = words.customers;
  const [isMetadataBad, setMetadataBad] = useState(false);
  const { base, draft, setDraft, save, reload, formError } = useRecordForm({
    operations,
    record: customer,
    draftOf: (record) => (record === null ? EMPTY_CUSTOMER : customerDraftOf(record)),
    fields: FIELDS,
    onSaved: (saved) => {
      onClose();
      onSaved?.(saved);
    },
  });
  const field = (name: keyof typeof draft) => ({
    label: texts.fields[name],
    value: draft[name],
    error: fieldErrorOf(save.error, name),
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  const submit = () => {
    const input = customerInputOf(draft);
    setMetadataBad(input === null);
    if (input !== null) save.mutate({ ...input, ...(draft.id.trim() === "" ? {} : { id: draft.id.trim() }) });
  };
  return (
    <FormDialog
      title={base === null ? texts.newCustomer : texts.editCustomer}
      verb={base === null ? words.common.create : words.common.save}
      isSaving={save.isPending}
      error={save.error}
      formError={formError}
      onReload={reload}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField {...field("name")} required autoFocus maxLength={255} autoComplete="off" />
      <div className={styles.pair}>
        <TextField {...field("email")} inputMode="email" maxLength={254} autoComplete="off" />
        <TextField {...field("phone")} type="tel" maxLength={64} autoComplete="off" />
      </div>
      <div className={styles.pair}>
        <TextField {...field("cuit")} hint={texts.cuitHint} maxLength={32} autoComplete="off" />
        <TextField {...field("dni")} hint={texts.dniHint} maxLength={32} autoComplete="off" />
        <TextField {...field("taxCondition")} maxLength={64} autoComplete="off" />
      </div>
      <TextArea {...field("address")} rows={2} maxLength={2_000} autoComplete="off" />
      <details className={styles.more}>
        <summary>{texts.records.forPrograms}</summary>
        <div className={styles.form}>
          <div className={styles.pair}>
            {base === null && (
              <TextField {...field("id")} hint={texts.records.idHint} maxLength={64} autoComplete="off" />
            )}
            <TextField {...field("externalId")} hint={texts.externalIdHint} maxLength={255} autoComplete="off" />
          </div>
          <TextArea
            {...field("metadata")}
            hint={texts.records.metadataHint}
            rows={4}
            spellCheck={false}
            error={isMetadataBad ? texts.records.metadataBad : fieldErrorOf(save.error, "metadata")}
          />
        </div>
      </details>
    </FormDialog>
  );
}

const operations = {
  kind: "customers",
  create: (input: CreateCustomer) => api.customers.create(input),
  update: (id: string, { id: _, ...changes }: CreateCustomer, options: { readonly ifMatch: number }) =>
    api.customers.update(id, changes, options),
  get: (id: string) => api.customers.get(id),
} as const;
