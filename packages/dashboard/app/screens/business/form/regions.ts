interface Option {
  readonly value: string;
  readonly label: string;
}

/** The languages of documents, with the regions whose formats are asked for most. Others that are set stay to be chosen. */
const LOCALES = [
  "en-US",
  "en-GB",
  "en-CA",
  "en-AU",
  "en-IN",
  "es-AR",
  "es-MX",
  "es-ES",
  "es-CL",
  "es-CO",
  "es-PE",
  "es-UY",
  "es-US",
  "pt-BR",
  "pt-PT",
  "de-DE",
  "de-AT",
  "de-CH",
  "fr-FR",
  "fr-CA",
  "fr-BE",
  "fr-CH",
  "it-IT",
  "it-CH",
  "nl-NL",
  "nl-BE",
  "ja-JP",
  "ar-SA",
  "ar-AE",
  "ar-EG",
  "he-IL",
];

export function localeOptions(language: string, present: string): readonly Option[] {
  const names = new Intl.DisplayNames(language, { type: "language", languageDisplay: "standard" });
  const labelOf = (tag: string) => {
    try {
      return capital(names.of(tag) ?? tag, language);
    } catch {
      return tag; // not a tag at all: the service says so
    }
  };
  return sorted(withPresent(LOCALES, present), labelOf, language);
}

export function currencyOptions(language: string, present: string): readonly Option[] {
  const names = new Intl.DisplayNames(language, { type: "currency" });
  const labelOf = (code: string) => {
    const name = /^[A-Z]{3}$/.test(code) ? names.of(code) : undefined;
    return name === undefined ? code : `${code}, ${name}`;
  };
  return withPresent(Intl.supportedValuesOf("currency"), present).map((value) => ({ value, label: labelOf(value) }));
}

export function zoneOptions(present: string): readonly Option[] {
  return withPresent(["UTC", ...Intl.supportedValuesOf("timeZone")], present).map((value) => ({
    value,
    label: value.replaceAll("_", " "),
  }));
}

function withPresent(values: readonly string[], present: string): readonly string[] {
  return present === "" || values.includes(present) ? values : [present, ...values];
}

function sorted(values: readonly string[], labelOf: (value: string) => string, language: string): readonly Option[] {
  return values
    .map((value) => ({ value, label: labelOf(value) }))
    .sort((one, other) => one.label.localeCompare(other.label, language));
}

function capital(text: string, language: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}
