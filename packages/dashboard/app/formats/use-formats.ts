import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { businessQuery } from "../queries/business.js";
import { useLanguage } from "../words/use-words.js";
import { type Formats, formatsOf } from "./formats.js";

/** Formats of the person's language and region, in the time zone of the business. */
export function useFormats(): Formats {
  const { language } = useLanguage();
  const { data } = useQuery({ ...businessQuery, select: ({ timeZone }) => timeZone });
  return useMemo(() => formatsOf(localeOf(language), data ?? "UTC"), [language, data]);
}

/** The browser's region, where it speaks the same language: `es-AR` for Spanish. */
function localeOf(language: string): string {
  return navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === language) ?? language;
}
