import type { CreatePackage, Package } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Checkbox, TextArea, TextField } from "../../../components/inputs.js";
import { decimalSignOfLocale } from "../../../formats/read-number.js";
import { useFormats } from "../../../formats/use-formats.js";
import { businessQuery } from "../../../queries/business.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { FormDialog } from "../../records/form-dialog.js";
import records from "../../records/records.module.css";
import { useRecordForm } from "../../records/use-record-form.js";
import { type DraftProblems, draftReader } from "../draft/draft-reader.js";
import { emptyPackage, packageDraftOf, packageInputOf } from "../draft/package-draft.js";
import { errorsAt } from "../fields/errors-at.js";
import { InternalCost } from "../fields/internal-cost.js";
import { LineDefaultsFields } from "../fields/line-defaults-fields.js";
import { PackageItemsField } from "./package-items-field.js";

interface Props {
  /** Null = a new one. */
  readonly bundle: Package | null;
  readonly mayWrite: boolean;
  readonly onClose: () => void;
}

const TEXTS = ["id", "name", "description", "price", "currency", "unit", "metadata"] as const;
const FIELDS = [...TEXTS, "unitCost", "taxes", "recurring", "priceTiers", "items"];
const NO_PROBLEMS: DraftProblems = new Map();

/** Creates a package, or changes it. Who may not change it reads the same fields. */
export function PackageDialog({ bundle, mayWrite, onClose }: Props) {
  const words = useWords();
  const texts = words.catalog;
  const decimal = decimalSignOfLocale(useFormats().locale);
  const currency = useQuery(businessQuery).data?.currency ?? "";
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const { base, draft, setDraft, save, reload, formError } = useRecordForm({
    operations,
    record: bundle,
    draftOf: (record) => (record === null ? emptyPackage(currency) : packageDraftOf(record, decimal)),
    fields: FIELDS,
    onSaved: onClose,
  });
  const errorAt = errorsAt(problems, save.error, texts);
  const change = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });
  const field = (name: (typeof TEXTS)[number]) => ({
    label: texts[name],
    value: draft[name],
    error: errorAt(name),
    autoComplete: "off",
    onChange: (value: string) => change({ [name]: value }),
  });
  const submit = () => {
    const reader = draftReader(decimal);
    const { currency: code, ...input } = packageInputOf(reader, draft);
    setProblems(reader.problems);
    if (reader.problems.size > 0) return;
    const id = draft.id.trim();
    save.mutate({ ...input, ...(code === "" ? {} : { currency: code }), ...(id === "" ? {} : { id }) });
  };
  return (
    <FormDialog
      title={base === null ? texts.newPackage : mayWrite ? texts.editPackage : base.name}
      verb={base === null ? words.common.create : words.common.save}
      mayWrite={mayWrite}
      isSaving={save.isPending}
      error={save.error}
      formError={formError}
      onReload={reload}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField {...field("name")} required autoFocus maxLength={255} />
      <TextArea {...field("description")} rows={3} maxLength={2_000} />
      <PackageItemsField items={draft.items} errorAt={errorAt} onChange={(items) => change({ items })} />
      <div className={records.pair}>
        <TextField {...field("price")} hint={texts.packagePriceHint} inputMode="decimal" />
        <TextField {...field("currency")} maxLength={3} autoCapitalize="characters" />
        <TextField {...field("unit")} hint={texts.unitHint} maxLength={20} />
      </div>
      <div className={records.pair}>
        <InternalCost
          value={draft.unitCost}
          error={errorAt("unitCost")}
          onChange={(unitCost) => change({ unitCost })}
        />
      </div>
      <Checkbox
        label={texts.active}
        hint={texts.activeHint}
        checked={draft.active}
        onChange={(active) => change({ active })}
      />
      <LineDefaultsFields draft={draft} errorAt={errorAt} onChange={change} />
      <details className={records.more}>
        <summary>{words.customers.records.forPrograms}</summary>
        <div className={records.form}>
          {base === null && <TextField {...field("id")} hint={words.customers.records.idHint} maxLength={64} />}
          <TextArea {...field("metadata")} hint={words.customers.records.metadataHint} rows={4} spellCheck={false} />
        </div>
      </details>
    </FormDialog>
  );
}

const operations = {
  kind: "packages",
  create: (input: CreatePackage) => api.packages.create(input),
  update: (id: string, { id: _, ...changes }: CreatePackage, options: { readonly ifMatch: number }) =>
    api.packages.update(id, changes, options),
  get: (id: string) => api.packages.get(id),
} as const;
