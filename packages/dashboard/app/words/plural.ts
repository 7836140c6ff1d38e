interface Forms {
  readonly one: string;
  readonly other: string;
}

/** Chooses the form of a number by the rules of the language. Source: CLDR, by `Intl.PluralRules`. */
export function pluralOf(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  return (count, forms) => (rules.select(count) === "one" ? forms.one : forms.other);
}
