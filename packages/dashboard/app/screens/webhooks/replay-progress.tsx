import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { Button } from "../../components/button.js";
import { FormError } from "../../components/form-error.js";
import { useFormats } from "../../formats/use-formats.js";
import { replayQuery } from "../../queries/webhooks.js";
import { useMay } from "../../session/use-session.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { progressOf, type WebhookReplay } from "./replay-range.js";
import styles from "./webhooks.module.css";

/** The last replay: how far it is, and the way to end it. */
export function ReplayProgress({ replay }: { readonly replay: WebhookReplay }) {
  const words = useWords();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const may = useMay();
  const labelId = useId();
  const cancel = useMutation({
    mutationFn: () => api.webhooks.cancelReplay(replay.webhookId),
    onSuccess: (ended) => queryClient.setQueryData(replayQuery(replay.webhookId).queryKey, ended),
  });
  const part = progressOf(replay);
  const isRunning = replay.status === "running";
  return (
    <div className={styles.replay}>
      <p id={labelId} role="status">
        <strong>{words.webhooks.replayStates[replay.status]}</strong>{" "}
        {words.webhooks.replaySent(replay.sent, formats.number(replay.sent))} {formats.dateTime(replay.updatedAt)}
      </p>
      {isRunning && (
        <>
          <progress value={part} max={1} aria-labelledby={labelId} />
          <span>{formats.percent(part)}</span>
          {may("administer") && (
            <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate()}>
              {words.webhooks.cancelReplay}
            </Button>
          )}
        </>
      )}
      <FormError error={cancel.error} />
    </div>
  );
}
