import type { Integration } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { Plug, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { EmptyState, ErrorPanel } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { integrationsQuery } from "../../queries/integrations.js";
import { useMay } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { IntegrationDialog } from "./integration-dialog.js";
import { IntegrationTable } from "./integration-table.js";

/** Connected systems, each with the key and the webhooks that it uses. */
export function IntegrationsScreen() {
  const { data, error, refetch } = useQuery(integrationsQuery);
  const [open, setOpen] = useState<Integration | "new" | null>(null);
  const words = useWords();
  const mayChange = useMay()("administer");
  const isEmpty = data?.length === 0;
  const create = (
    <Button kind="primary" icon={Plus} onClick={() => setOpen("new")}>
      {words.integrations.newIntegration}
    </Button>
  );
  return (
    <Page title={words.shell.integrations} actions={mayChange && !isEmpty ? create : undefined}>
      {error !== null ? (
        <ErrorPanel
          title={words.common.couldNotLoad(words.shell.integrations)}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <SkeletonRows />
      ) : isEmpty ? (
        <EmptyState
          icon={Plug}
          title={words.integrations.emptyTitle}
          text={mayChange ? words.integrations.emptyText : words.integrations.emptyMember}
          action={mayChange ? create : undefined}
        />
      ) : (
        <IntegrationTable integrations={data} onEdit={mayChange ? setOpen : null} />
      )}
      {open !== null && <IntegrationDialog integration={open === "new" ? null : open} onClose={() => setOpen(null)} />}
    </Page>
  );
}
