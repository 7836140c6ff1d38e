import { useState } from "react";
import { messageOf } from "../../../components/notices.js";
import { useToast } from "../../../components/toast.js";
import { apiOver } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { useBudgetWrite } from "../actions/use-budget-write.js";
import { uploadFetch } from "./upload-fetch.js";

export interface Upload {
  readonly key: number;
  readonly fileName: string;
  /** From 0 to 1. */
  readonly sent: number;
  readonly cancel: () => void;
}

const MAX_BYTES = 25 * 1024 * 1024;

interface Started {
  readonly file: File;
  readonly key: number;
  readonly signal: AbortSignal;
}

/** Files on their way to the service, one row each, until they are there or stopped. */
export function useUploads(budgetId: string) {
  const { budget, common } = useWords();
  const words = budget.files;
  const toast = useToast();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const change = (key: number, sent: number) =>
    setUploads((all) => all.map((each) => (each.key === key ? { ...each, sent } : each)));
  const upload = useBudgetWrite({
    budgetId,
    write: async ({ file, key, signal }: Started) => {
      try {
        const sender = apiOver(uploadFetch((sent) => change(key, sent)));
        return await sender.attachments.upload(budgetId, file, { signal });
      } catch (error) {
        if (signal.aborted) return null;
        const why = error instanceof Error ? messageOf(error, common) : String(error);
        toast({ text: `${words.failed(file.name)}: ${why}`, isError: true });
        throw error;
      } finally {
        setUploads((all) => all.filter((each) => each.key !== key));
      }
    },
    onDone: (attachment) => {
      if (attachment !== null) toast({ text: words.added(attachment.fileName) });
    },
  });
  const start = (file: File) => {
    if (file.size > MAX_BYTES) return toast({ text: words.tooLarge(file.name), isError: true });
    const controller = new AbortController();
    const key = performance.now() + Math.random();
    const entry = { key, fileName: file.name, sent: 0, cancel: () => controller.abort() };
    setUploads((all) => [...all, entry]);
    upload.mutate({ file, key, signal: controller.signal });
  };
  const add = (files: Iterable<File>) => {
    for (const file of files) start(file);
  };
  return { uploads, add };
}
