import type { CreateProduct, Product } from "@budgetkit/client";
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
import { emptyProduct, productDraftOf, productInputOf } from "../draft/product-draft.js";
import { errorsAt } from "../fields/errors-at.js";
import { InternalCost } from "../fields/internal-cost.js";
import { LineDefaultsFields } from "../fields/line-defaults-fields.js";
import { OptionsField } from "../fields/options-field.js";
import { VariantsField } from "../fields/variants-field.js";

interface Props {
  /** Null = a new one. */
  readonly product: Product | null;
  readonly mayWrite: boolean;
  readonly onClose: () => void;
}

const TEXTS = ["id", "name", "sku", "description", "unitPrice", "currency", "unit", "metadata"] as const;
const FIELDS = [...TEXTS, "taxRate", "unitCost", "taxes", "recurring", "priceTiers", "options", "variants"];
const NO_PROBLEMS: DraftProblems = new Map();

/** Creates a product, or changes it. Who may not change it reads the same fields. */
export function ProductDialog({ product, mayWrite, onClose }: Props) {
  const words = useWords();
  const texts = words.catalog;
  const decimal = decimalSignOfLocale(useFormats().locale);
  const currency = useQuery(businessQuery).data?.currency ?? "";
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const { base, draft, setDraft, save, reload, formError } = useRecordForm({
    operations,
    record: product,
    draftOf: (record) => (record === null ? emptyProduct(currency) : productDraftOf(record, decimal)),
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
    const input = productInputOf(reader, draft);
    setProblems(reader.problems);
    if (reader.problems.size > 0) return;
    const { currency: code, ...rest } = input;
    const id = draft.id.trim();
    save.mutate({ ...rest, ...(code === "" ? {} : { currency: code }), ...(id === "" ? {} : { id }) });
  };
  return (
    <FormDialog
      title={base === null ? texts.newProduct : mayWrite ? texts.editProduct : base.name}
      verb={base === null ? words.common.create : words.common.save}
      mayWrite={mayWrite}
      isSaving={save.isPending}
      error={save.error}
      formError={formError}
      onReload={reload}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={records.pair}>
        <TextField {...field("name")} required autoFocus maxLength={255} />
        <TextField {...field("sku")} maxLength={64} />
      </div>
      <TextArea {...field("description")} rows={3} maxLength={2_000} />
      <div className={records.pair}>
        <TextField {...field("unitPrice")} hint={texts.unitPriceHint} inputMode="decimal" />
        <TextField {...field("currency")} maxLength={3} autoCapitalize="characters" />
        <TextField {...field("unit")} hint={texts.unitHint} maxLength={20} />
      </div>
      <div className={records.pair}>
        <InternalCost
          value={draft.unitCost}
          error={errorAt("unitCost")}
          onChange={(unitCost) => change({ unitCost })}
        />
        <TextField
          label={texts.taxPercent}
          inputMode="decimal"
          value={draft.taxPercent}
          error={errorAt("taxRate")}
          onChange={(taxPercent) => change({ taxPercent })}
        />
      </div>
      <Checkbox
        label={texts.active}
        hint={texts.activeHint}
        checked={draft.active}
        onChange={(active) => change({ active })}
      />
      <LineDefaultsFields draft={draft} errorAt={errorAt} onChange={change} />
      <OptionsField options={draft.options} errorAt={errorAt} onChange={(options) => change({ options })} />
      <VariantsField
        variants={draft.variants}
        options={draft.options}
        errorAt={errorAt}
        onChange={(variants) => change({ variants })}
      />
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
  kind: "products",
  create: (input: CreateProduct) => api.products.create(input),
  update: (id: string, { id: _, ...changes }: CreateProduct, options: { readonly ifMatch: number }) =>
    api.products.update(id, changes, options),
  get: (id: string) => api.products.get(id),
} as const;
