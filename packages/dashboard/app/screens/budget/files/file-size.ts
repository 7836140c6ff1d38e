const UNITS = ["B", "kB", "MB"] as const;

/** `1.4 MB`, in the digits of the locale. */
export function fileSize(bytes: number, locale: string): string {
  const step = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2;
  const value = bytes / 1_000 ** step;
  const digits = new Intl.NumberFormat(locale, { maximumFractionDigits: step === 0 || value >= 10 ? 0 : 1 });
  return `${digits.format(value)} ${UNITS[step]}`;
}
