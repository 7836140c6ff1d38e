import "../../components/mono.css";
import type { Webhook } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { EmptyState, ErrorPanel } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { webhooksQuery } from "../../queries/webhooks.js";
import { useMay } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { CreateWebhookDialog } from "./create-webhook-dialog.js";
import { webhookName } from "./webhook-name.js";
import { WebhookState } from "./webhook-state.js";
import { WebhookTags } from "./webhook-tags.js";
import styles from "./webhooks.module.css";

export function WebhooksScreen() {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery);
  const [isCreating, setCreating] = useState(false);
  const words = useWords();
  const mayChange = useMay()("administer");
  const isEmpty = webhooks?.length === 0;
  const create = (
    <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
      {words.webhooks.newWebhook}
    </Button>
  );
  return (
    <Page title={words.shell.webhooks} actions={mayChange && !isEmpty ? create : undefined}>
      {error !== null ? (
        <ErrorPanel
          title={words.common.couldNotLoad(words.shell.webhooks)}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : webhooks === undefined ? (
        <SkeletonRows />
      ) : isEmpty ? (
        <EmptyState
          icon={WebhookIcon}
          title={words.webhooks.emptyTitle}
          text={mayChange ? words.webhooks.emptyText : words.webhooks.emptyMember}
          action={mayChange ? create : undefined}
        />
      ) : (
        <WebhookTable webhooks={webhooks} />
      )}
      {isCreating && <CreateWebhookDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const words = useWords();
  const formats = useFormats();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
    <section className={table.scroll} tabIndex={0} aria-label={words.shell.webhooks}>
      <table className={`${table.table} ${table.wide}`}>
        <thead>
          <tr>
            <th scope="col">{words.webhooks.name}</th>
            <th scope="col">{words.webhooks.state}</th>
            <th scope="col">{words.webhooks.receives}</th>
            <th scope="col">{words.webhooks.madeAt}</th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <th scope="row">
                <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
                  {webhookName(webhook)}
                </Link>
                <br />
                <code className={styles.url}>{webhook.url}</code>
              </th>
              <td>
                <WebhookState {...webhook} />
                {webhook.disabledReason !== null && <p className={styles.note}>{webhook.disabledReason}</p>}
              </td>
              <td>
                <WebhookTags {...webhook} />
              </td>
              <td>{formats.date(webhook.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
