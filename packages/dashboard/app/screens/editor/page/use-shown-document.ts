import { useEffect, useRef, useState } from "react";
import { ownFetch } from "../../../start/api.js";
import { mount } from "../../../start/mount.js";
import type { UnsavedBody } from "../document/previewable.js";

export type ShownAs = "page" | "mail" | "pdf";

export interface Wishes {
  readonly as: ShownAs;
  readonly language: string;
  readonly appearance: "light" | "dark";
}

type ShownDocument =
  | { readonly kind: "page"; readonly markup: string }
  | { readonly kind: "pdf"; readonly url: string };

interface Shown {
  readonly shown: ShownDocument | null; // null = nothing yet
  readonly isLoading: boolean;
  readonly message: string | null; // why it is not the present one
}

const PAUSE_MS = 350;

/** What the customer would see, from the service, a moment after the last change. A newer request ends the older one. */
export function useShownDocument(body: UnsavedBody | null, { as, language, appearance }: Wishes): Shown {
  const [shown, setShown] = useState<Shown>({ shown: null, isLoading: body !== null, message: null });
  const content = body === null ? null : JSON.stringify(body);
  const isFirst = useRef(true);
  useEffect(() => {
    if (content === null) return;
    const request = new AbortController();
    setShown((before) => ({ ...before, isLoading: true }));
    const load = async () => {
      try {
        const document = await readDocument(content, { as, language, appearance }, request.signal);
        if (!request.signal.aborted) setShown({ shown: document, isLoading: false, message: null });
      } catch (error) {
        if (request.signal.aborted) return;
        const message = error instanceof Error ? error.message : String(error);
        setShown((before) => ({ ...before, isLoading: false, message }));
      }
    };
    const timer = window.setTimeout(() => void load(), isFirst.current ? 0 : PAUSE_MS);
    isFirst.current = false;
    return () => {
      window.clearTimeout(timer);
      request.abort();
    };
  }, [content, as, language, appearance]);
  const pdf = shown.shown?.kind === "pdf" ? shown.shown.url : null;
  useEffect(() => () => (pdf === null ? undefined : URL.revokeObjectURL(pdf)), [pdf]);
  return shown;
}

async function readDocument(content: string, wishes: Wishes, signal: AbortSignal): Promise<ShownDocument> {
  const { as, language, appearance } = wishes;
  const query = new URLSearchParams({
    as,
    ...(language === "" ? {} : { language }),
    ...(as === "pdf" ? {} : { appearance }),
  });
  const response = await ownFetch(`${mount.base}/service/api/public/budgets/preview/document?${query}`, {
    method: "POST",
    body: content,
    headers: { "content-type": "application/json" },
    signal,
  });
  if (!response.ok) throw new Error(await messageOf(response));
  if (as === "pdf") return { kind: "pdf", url: URL.createObjectURL(await response.blob()) };
  return { kind: "page", markup: await response.text() };
}

async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const error = typeof body === "object" && body !== null && "error" in body ? body.error : null;
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : null;
  return typeof message === "string" ? message : String(response.status);
}
