import type { HTMLInputTypeAttribute } from "react";
import { SelectField, TextArea, TextField } from "../../../components/inputs.js";
import { useLanguage, useWords } from "../../../words/use-words.js";
import type { TextField as FieldName } from "./profile.js";
import { currencyOptions, localeOptions, zoneOptions } from "./regions.js";
import type { BusinessForm } from "./use-business-form.js";

const ROWS: Partial<Record<FieldName, number>> = { terms: 8, address: 2 };

interface Props {
  readonly form: BusinessForm;
  readonly field: FieldName;
  readonly type?: HTMLInputTypeAttribute;
  readonly hint?: string;
  readonly placeholder?: string;
}

/** A field of the profile with its label, its edit and what the service said about it. */
export function ProfileText({ form, field, ...rest }: Props) {
  const words = useWords().business;
  return (
    <TextField
      {...rest}
      label={words.fields[field]}
      value={form.profile[field]}
      onChange={(value) => form.set(field, value)}
      error={form.errorOf(field)}
    />
  );
}

export function ProfileArea({ form, field, hint }: Pick<Props, "form" | "field" | "hint">) {
  const words = useWords().business;
  return (
    <TextArea
      label={words.fields[field]}
      rows={ROWS[field] ?? 4}
      {...(hint === undefined ? {} : { hint })}
      value={form.profile[field]}
      onChange={(value) => form.set(field, value)}
      error={form.errorOf(field)}
    />
  );
}

interface SelectProps {
  readonly form: BusinessForm;
}

export function LocaleField({ form }: SelectProps) {
  const { language } = useLanguage();
  return <ProfileSelect form={form} field="locale" options={localeOptions(language, form.profile.locale)} />;
}

export function CurrencyField({ form }: SelectProps) {
  const { language } = useLanguage();
  return <ProfileSelect form={form} field="currency" options={currencyOptions(language, form.profile.currency)} />;
}

export function ZoneField({ form }: SelectProps) {
  return <ProfileSelect form={form} field="timeZone" options={zoneOptions(form.profile.timeZone)} />;
}

interface OptionsProps extends SelectProps {
  readonly field: "locale" | "currency" | "timeZone";
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

function ProfileSelect({ form, field, options }: OptionsProps) {
  const words = useWords().business;
  const none = { value: "", label: words.notSet[field] };
  return (
    <SelectField
      label={words.fields[field]}
      value={form.profile[field]}
      options={field === "timeZone" ? options : [none, ...options]}
      onChange={(value) => form.set(field, value)}
      error={form.errorOf(field)}
    />
  );
}
