import { useMutation } from "@tanstack/react-query";
import { Eye, EyeOff, RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { ConfirmDialog } from "../../components/dialog.js";
import { FormError } from "../../components/form-error.js";
import { ShownOnce } from "../../components/shown-once.js";
import { useFormats } from "../../formats/use-formats.js";
import type { Subscriber } from "../../queries/deliveries.js";
import { useWords } from "../../words/use-words.js";
import styles from "./deliveries.module.css";
import { readSecret, rotateSecret } from "./webhook-secret.js";

interface Shown {
  readonly secret: string;
  readonly previousUntil: string | null; // null = it was read, not replaced
}

/** The secret that signs deliveries: shown when it is asked for, replaced with a time in which both sign. */
export function SecretSection({ subscriber }: { readonly subscriber: Subscriber }) {
  const words = useWords().webhooks;
  const formats = useFormats();
  const [shown, setShown] = useState<Shown | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const read = useMutation({
    mutationFn: async () => setShown({ secret: await readSecret(subscriber), previousUntil: null }),
  });
  const rotate = useMutation({
    mutationFn: async () => {
      const { secret, previousSecretUntil } = await rotateSecret(subscriber);
      setShown({ secret, previousUntil: previousSecretUntil });
    },
    onSettled: () => setConfirming(false),
  });
  return (
    <div className={styles.secret}>
      {shown !== null && (
        <>
          <ShownOnce label={words.secret} secret={shown.secret} warning={null} />
          {shown.previousUntil !== null && (
            <p role="status">{words.rotatedUntil(formats.dateTime(shown.previousUntil))}</p>
          )}
        </>
      )}
      <FormError error={read.error ?? rotate.error} />
      <div className={styles.buttons}>
        {shown === null ? (
          <Button icon={Eye} size="small" busy={read.isPending} onClick={() => read.mutate()}>
            {words.showSecret}
          </Button>
        ) : (
          <Button icon={EyeOff} size="small" onClick={() => setShown(null)}>
            {words.hideSecret}
          </Button>
        )}
        <Button icon={RotateCw} size="small" onClick={() => setConfirming(true)}>
          {words.rotateSecret}
        </Button>
      </div>
      <p className={styles.note}>{words.secretNote}</p>
      {isConfirming && (
        <ConfirmDialog
          title={words.rotateTitle}
          text={words.rotateText}
          verb={words.rotate}
          kind="primary"
          busy={rotate.isPending}
          onConfirm={() => rotate.mutate()}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}
