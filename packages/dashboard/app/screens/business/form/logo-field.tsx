import { useMutation, useQuery } from "@tanstack/react-query";
import { ImageUp } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../../../components/button.js";
import { messageOf } from "../../../components/notices.js";
import { useToast } from "../../../components/toast.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../business.module.css";
import { checkLogo, LOGO_TYPES, type LogoFault, measureImage } from "./check-logo.js";
import { ShownImage } from "./shown-image.js";
import type { BusinessForm } from "./use-business-form.js";

/** The logo counts at once: it is a file of its own, not a field that waits to be saved. */
export function LogoField({ form }: { readonly form: BusinessForm }) {
  const words = useWords();
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<LogoFault | null>(null);
  const { logo } = form.base;
  const { data: image } = useQuery({
    queryKey: ["business-logo", logo?.sha256],
    enabled: logo !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await api.business.getLogo({ signal })).blob(),
  });
  const put = useMutation({
    mutationFn: (file: Blob) => api.business.setLogo(file),
    onSuccess: (next) => {
      form.adopt(next);
      toast({ text: words.business.logoSaved });
    },
  });
  const remove = useMutation({
    mutationFn: () => api.business.removeLogo(),
    onSuccess: (next) => {
      form.adopt(next);
      const undo = image === undefined ? {} : { undo: () => put.mutate(image) };
      toast({ text: words.business.logoRemoved, ...undo });
    },
  });
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const found = await checkLogo(file, measureImage);
    setFault(found);
    if (found === null) put.mutate(file);
  };
  const failure = put.error ?? remove.error;
  const problem =
    fault !== null ? words.business.logoFaults[fault] : failure === null ? null : messageOf(failure, words.common);
  return (
    <div className={styles.logo}>
      <span className={styles.plate}>
        {logo !== undefined && image !== undefined ? (
          <ShownImage content={image} alt={words.business.logo} />
        ) : (
          <ImageUp size={20} strokeWidth={1.75} aria-hidden="true" />
        )}
      </span>
      <div>
        {!form.isReadOnly && (
          <span className={styles.line}>
            <Button size="small" busy={put.isPending} onClick={() => input.current?.click()}>
              {logo === undefined ? words.business.uploadLogo : words.business.replaceLogo}
            </Button>
            {logo !== undefined && (
              <Button size="small" kind="quiet" busy={remove.isPending} onClick={() => remove.mutate()}>
                {words.common.remove}
              </Button>
            )}
            <input
              ref={input}
              type="file"
              hidden
              accept={LOGO_TYPES.join(",")}
              aria-label={words.business.logo}
              onChange={(event) => {
                void choose(event.target.files?.[0]);
                event.target.value = "";
              }}
            />
          </span>
        )}
        {problem === null ? (
          <p className={styles.note}>{words.business.logoHint}</p>
        ) : (
          <p className={`${styles.note} ${styles.bad}`} role="alert">
            {problem}
          </p>
        )}
      </div>
    </div>
  );
}
