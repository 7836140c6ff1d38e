import { useNavigate } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { SelectField } from "../../components/inputs.js";
import { Count, Segmented } from "../../components/tabs.js";
import { useFormats } from "../../formats/use-formats.js";
import type { DeliveryView, Subscriber } from "../../queries/deliveries.js";
import { useMay } from "../../session/use-session.js";
import { changedSearch } from "../../shell/changed-search.js";
import { useWords } from "../../words/use-words.js";
import styles from "./deliveries.module.css";
import { type DeliverySearch, EVENT_NAMES } from "./delivery-search.js";
import { SendFailedDialog } from "./send-failed-dialog.js";

interface Props {
  readonly subscriber: Subscriber;
  readonly canReceive: boolean;
  readonly search: DeliverySearch;
  readonly counts: { readonly failed: number; readonly waiting: number } | undefined;
}

/** Which deliveries are listed, and the way to send the failed ones again. */
export function DeliveryTools({ subscriber, canReceive, search, counts }: Props) {
  const words = useWords().webhooks;
  const formats = useFormats();
  const navigate = useNavigate();
  const may = useMay();
  const [isSending, setSending] = useState(false);
  const label = (text: string, count: number | undefined) =>
    count === undefined || count === 0 ? (
      text
    ) : (
      <>
        {text} <Count>{formats.number(count)}</Count>
      </>
    );
  const show = (view: DeliveryView) =>
    void navigate({
      to: ".",
      search: (previous) => changedSearch(previous, { view: view === "all" ? undefined : view, page: undefined }),
    });
  const events = [
    { value: "", label: words.everyEvent },
    ...EVENT_NAMES.map((value) => ({ value: String(value), label: String(value) })),
  ];
  return (
    <div className={styles.tools}>
      <Segmented
        label={words.show}
        value={search.view ?? "all"}
        options={[
          { value: "all", label: words.views.all },
          { value: "failed", label: label(words.views.failed, counts?.failed) },
          { value: "waiting", label: label(words.views.waiting, counts?.waiting) },
        ]}
        onChange={show}
      />
      <div className={styles.filter}>
        <SelectField
          label={words.event}
          hideLabel
          value={search.event ?? ""}
          options={events}
          onChange={(chosen) =>
            void navigate({
              to: ".",
              search: (previous) =>
                changedSearch(previous, { event: EVENT_NAMES.find((name) => name === chosen), page: undefined }),
            })
          }
        />
      </div>
      {may("administer") && canReceive && (counts?.failed ?? 0) > 0 && (
        <Button icon={RefreshCw} onClick={() => setSending(true)}>
          {words.sendFailed}
        </Button>
      )}
      {isSending && <SendFailedDialog subscriber={subscriber} onClose={() => setSending(false)} />}
    </div>
  );
}
