import type { Webhook } from "@budgetkit/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { FormError } from "../../components/form-error.js";
import { TextField } from "../../components/inputs.js";
import { useFormats } from "../../formats/use-formats.js";
import { replayQuery } from "../../queries/webhooks.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { EventPicker } from "./form/event-picker.js";
import { ReplayProgress } from "./replay-progress.js";
import { type ReplayRange, sentTypes, timesOf } from "./replay-range.js";
import styles from "./webhooks.module.css";

interface Props {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** Sends stored events again, and shows how far that is. It goes on when the dialog is closed. */
export function ReplayDialog({ webhook, onClose }: Props) {
  const words = useWords();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const { data: replay } = useQuery(replayQuery(webhook.id));
  const [range, setRange] = useState<ReplayRange>({ since: "", until: "", events: null });
  const [isChecked, setChecked] = useState(false);
  const times = timesOf(range);
  const types = sentTypes(range.events, webhook.events);
  const isRunning = replay?.status === "running";
  const counted = useQuery({
    queryKey: ["webhooks", "replay-size", times, types],
    enabled: times !== null && types.length > 0 && !isRunning,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(types.map((event) => api.events.list({ event, ...times, limit: 1 }, { signal })));
      return pages.reduce((sum, { pagination }) => sum + pagination.total, 0);
    },
  });
  const start = useMutation({
    mutationFn: (given: NonNullable<typeof times>) =>
      api.webhooks.startReplay(webhook.id, { ...given, events: range.events }),
    onSuccess: (started) => queryClient.setQueryData(replayQuery(webhook.id).queryKey, started),
  });
  const submit = () => {
    setChecked(true);
    if (times !== null) start.mutate(times);
  };
  const hasNothing = types.length === 0;
  return (
    <Dialog
      title={words.webhooks.replayTitle}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.close}</Button>
          {!isRunning && (
            <Button kind="primary" busy={start.isPending} disabled={hasNothing} onClick={submit}>
              {words.webhooks.startReplay}
            </Button>
          )}
        </>
      }
    >
      {replay != null && <ReplayProgress replay={replay} />}
      {!isRunning && (
        <>
          <p>{words.webhooks.replayText}</p>
          <div className={styles.pair}>
            <TextField
              label={words.webhooks.since}
              type="datetime-local"
              error={isChecked && times === null ? words.webhooks.rangeWrong : null}
              value={range.since}
              onChange={(since) => setRange({ ...range, since })}
            />
            <TextField
              label={words.webhooks.until}
              hint={words.webhooks.untilHint}
              type="datetime-local"
              value={range.until}
              onChange={(until) => setRange({ ...range, until })}
            />
          </div>
          <EventPicker
            events={range.events}
            onChange={(events) => setRange({ ...range, events })}
            error={hasNothing ? words.webhooks.receivesNone : null}
          />
          {counted.data !== undefined && times !== null && (
            <p role="status">{words.webhooks.atMost(counted.data, formats.number(counted.data))}</p>
          )}
          <FormError error={start.error} />
        </>
      )}
    </Dialog>
  );
}
