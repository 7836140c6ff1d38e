import type { PageLanguage } from "./page-language.js";
import type { PageWords } from "./page-words/words.js";

/** What a tax on sales is called in a region, where it differs from the usual word of the language. */
const BY_REGION: Readonly<Record<string, string>> = {
  AR: "IVA",
  BO: "IVA",
  CL: "IVA",
  CO: "IVA",
  CR: "IVA",
  DO: "ITBIS",
  EC: "IVA",
  ES: "IVA",
  GT: "IVA",
  HN: "ISV",
  MX: "IVA",
  NI: "IVA",
  PA: "ITBMS",
  PE: "IGV",
  PY: "IVA",
  SV: "IVA",
  UY: "IVA",
  VE: "IVA",
  IT: "IVA",
  PT: "IVA",
  SM: "IVA",
  AT: "USt",
  DE: "USt",
  CH: "MwSt",
  LI: "MwSt",
  FR: "TVA",
  BE: "TVA",
  LU: "TVA",
  MC: "TVA",
  RO: "TVA",
  NL: "btw",
  GB: "VAT",
  IE: "VAT",
  ZA: "VAT",
  AE: "VAT",
  SA: "VAT",
  AU: "GST",
  CA: "GST",
  IN: "GST",
  NZ: "GST",
  SG: "GST",
  SE: "moms",
  DK: "moms",
  NO: "mva",
  PL: "VAT",
};

const OWN_SCRIPT: readonly PageLanguage[] = ["ja", "ar", "he"];

/** The name of the tax: that of the region of the business, else the word of the language. A word of the host comes first. */
export function taxNameIn(language: PageLanguage, locale: string | null, words: PageWords, usual: PageWords): string {
  if (words.tax !== usual.tax || OWN_SCRIPT.includes(language)) return words.tax;
  const region = locale?.split("-").find((part) => /^[A-Z]{2}$/.test(part));
  return (region === undefined ? undefined : BY_REGION[region]) ?? words.tax;
}
