import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDebounced } from "../../../components/use-debounced.js";
import { api } from "../../../start/api.js";
import type { BusinessForm } from "../form/use-business-form.js";

export type ShownAs = "page" | "mail" | "pdf";
export type Appearance = "light" | "dark";
export type DocumentLanguage = NonNullable<NonNullable<Parameters<typeof api.business.preview>[1]>["language"]>;

export const DOCUMENT_LANGUAGES: readonly DocumentLanguage[] = [
  "en",
  "es",
  "pt",
  "de",
  "fr",
  "it",
  "nl",
  "ja",
  "ar",
  "he",
];

interface Wishes {
  readonly as: ShownAs;
  readonly appearance: Appearance;
  /** Empty = that of the business. */
  readonly language: DocumentLanguage | "";
}

interface Shown {
  readonly as: ShownAs;
  readonly content: Blob;
  readonly fileName: string;
  readonly markup: string | null; // null = a PDF
}

const TYPING_MS = 350;
const KEPT_MS = 60_000;

/**
 * Follows the form after a pause of typing; a request that is not wanted any more is cancelled. While the form is not
 * right, the last document of the same kind stays.
 */
export function usePreview({ changes, base }: BusinessForm, { as, appearance, language }: Wishes) {
  const body = useDebounced(JSON.stringify(changes), TYPING_MS);
  const saved = `${base.version} ${base.logo?.sha256 ?? ""}`;
  const [last, setLast] = useState<Shown | null>(null);
  const query = useQuery({
    queryKey: ["business-preview", saved, body, as, as === "pdf" ? null : appearance, language],
    gcTime: KEPT_MS,
    staleTime: KEPT_MS,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Shown> => {
      const wishes = { as, ...(as === "pdf" ? {} : { appearance }), ...(language === "" ? {} : { language }) };
      const download = await api.business.preview(JSON.parse(body), wishes, { signal });
      const content = await download.blob();
      return { as, content, fileName: download.fileName, markup: as === "pdf" ? null : await content.text() };
    },
  });
  if (query.data !== undefined && query.data !== last) setLast(query.data);
  const kept = last?.as === as ? last : null;
  return { shown: query.data ?? kept, error: query.error, isFetching: query.isFetching, refetch: query.refetch };
}
