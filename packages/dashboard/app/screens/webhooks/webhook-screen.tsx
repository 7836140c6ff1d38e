import "../../components/mono.css";
import type { Webhook } from "@budgetkit/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { CopyButton } from "../../components/copy-button.js";
import { ErrorPanel } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { useFormats } from "../../formats/use-formats.js";
import { deliveriesKey } from "../../queries/deliveries.js";
import { replayQuery, webhookQuery } from "../../queries/webhooks.js";
import { useMay } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { Deliveries } from "../deliveries/deliveries.js";
import { DeliveryScreen } from "../deliveries/delivery-screen.js";
import { useIsPhone } from "../deliveries/use-is-phone.js";
import { ReplayProgress } from "./replay-progress.js";
import { WebhookActions } from "./webhook-actions.js";
import { WebhookFigures } from "./webhook-figures.js";
import { webhookName } from "./webhook-name.js";
import { WebhookState } from "./webhook-state.js";
import { WebhookTags } from "./webhook-tags.js";
import styles from "./webhooks.module.css";

const route = getRouteApi("/webhooks/$webhookId");

export function WebhookScreen() {
  const { webhookId } = route.useParams();
  const { data: webhook, error, refetch } = useQuery(webhookQuery(webhookId));
  const words = useWords();
  if (webhook !== undefined) return <ShownWebhook webhook={webhook} />;
  return (
    <Page title={words.shell.webhooks} parent={{ to: "/webhooks", label: words.shell.webhooks }}>
      {error === null ? (
        <SkeletonRows />
      ) : (
        <ErrorPanel
          title={words.common.couldNotLoad(words.webhooks.theWebhook)}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
    </Page>
  );
}

function ShownWebhook({ webhook }: { readonly webhook: Webhook }) {
  const search = route.useSearch();
  const { data: replay } = useQuery(replayQuery(webhook.id));
  useFreshDeliveries(webhook.id, replay?.sent ?? 0);
  const words = useWords();
  const formats = useFormats();
  const isPhone = useIsPhone();
  const mayChange = useMay()("administer");
  const deliveries = {
    subscriber: { kind: "webhook", id: webhook.id } as const,
    url: webhook.url,
    canReceive: webhook.status === "ACTIVE",
    planned: webhook.retryPolicy.delaysSeconds.length,
    search,
  };
  if (isPhone && search.delivery !== undefined) return <DeliveryScreen {...deliveries} />;
  return (
    <Page
      title={webhookName(webhook)}
      parent={{ to: "/webhooks", label: words.shell.webhooks }}
      beside={
        <>
          <WebhookState {...webhook} />
          <code className={styles.url}>{webhook.url}</code>
          <CopyButton text={webhook.url} />
        </>
      }
      subtitle={<WebhookTags {...webhook} />}
      actions={mayChange ? <WebhookActions webhook={webhook} /> : undefined}
    >
      {webhook.status === "DISABLED" && (
        <p className={styles.stopped}>
          <TriangleAlert size={16} aria-hidden="true" />
          <span>
            {webhook.disabledReason === null
              ? words.webhooks.offText
              : words.webhooks.stoppedText(webhook.disabledReason)}
          </span>
        </p>
      )}
      {webhook.status === "ACTIVE" && webhook.failingSince !== null && (
        <p className={styles.stopped}>
          <TriangleAlert size={16} aria-hidden="true" />
          <span>{words.webhooks.failingText(formats.dateTime(webhook.failingSince))}</span>
        </p>
      )}
      {replay?.status === "running" && <ReplayProgress replay={replay} />}
      <WebhookFigures webhookId={webhook.id} />
      <Deliveries {...deliveries} />
    </Page>
  );
}

/** A replay makes deliveries, which the list shows as they come. */
function useFreshDeliveries(webhookId: string, sent: number) {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (sent > 0) void queryClient.invalidateQueries({ queryKey: deliveriesKey({ kind: "webhook", id: webhookId }) });
  }, [queryClient, webhookId, sent]);
}
