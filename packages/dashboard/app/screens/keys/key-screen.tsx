import "../../components/mono.css";
import type { ApiKey } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { StatusChip } from "../../components/chip.js";
import { ErrorPanel } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { Tabs, tabClass } from "../../components/tabs.js";
import { useFormats } from "../../formats/use-formats.js";
import { keyQuery } from "../../queries/keys.js";
import { useMay } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { DeliveryScreen } from "../deliveries/delivery-screen.js";
import { useIsPhone } from "../deliveries/use-is-phone.js";
import { KeyActions } from "./key-actions.js";
import { stateOf, TONES } from "./key-state.js";
import { KeyUsage } from "./key-usage.js";
import { KeyWebhook } from "./key-webhook.js";
import styles from "./keys.module.css";

/** The tab of the address is the active one, also beside other fields. */
const BY_TAB = { includeSearch: true, explicitUndefined: true };

const route = getRouteApi("/keys/$keyId");

export function KeyScreen() {
  const { keyId } = route.useParams();
  const { data: key, error, refetch } = useQuery(keyQuery(keyId));
  const words = useWords();
  if (key !== undefined) return <ShownKey apiKey={key} />;
  return (
    <Page title={words.shell.keys} parent={{ to: "/keys", label: words.shell.keys }}>
      {error === null ? (
        <SkeletonRows />
      ) : (
        <ErrorPanel title={words.common.couldNotLoad(words.keys.theKey)} error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function ShownKey({ apiKey: key }: { readonly apiKey: ApiKey }) {
  const search = route.useSearch();
  const words = useWords();
  const formats = useFormats();
  const mayChange = useMay()("administer");
  const isPhone = useIsPhone();
  const nowMs = Date.now();
  const state = stateOf(key, nowMs);
  if (isPhone && search.delivery !== undefined) {
    const subscriber = { kind: "key", id: key.id } as const;
    const canReceive = state === "ACTIVE" && key.webhookUrl !== null;
    return (
      <DeliveryScreen subscriber={subscriber} url={key.webhookUrl ?? ""} canReceive={canReceive} search={search} />
    );
  }
  const lastUse =
    key.lastUsedAt === null ? words.keys.neverUsed : words.keys.usedAt(formats.ago(key.lastUsedAt, nowMs));
  return (
    <Page
      title={key.name}
      parent={{ to: "/keys", label: words.shell.keys }}
      beside={
        <>
          <StatusChip tone={TONES[state]}>{words.keys.states[state]}</StatusChip>
          <code className={styles.prefix}>{key.keyPrefix}••••••••</code>
        </>
      }
      subtitle={
        <>
          {key.description !== null && <span>{key.description}</span>}
          <span>{words.keys.madeAt(formats.date(key.createdAt))}</span>
          <span>{lastUse}</span>
        </>
      }
      actions={mayChange ? <KeyActions apiKey={key} state={state} /> : undefined}
      tabs={
        <Tabs label={key.name}>
          <Link
            to="/keys/$keyId"
            params={{ keyId: key.id }}
            search={{ tab: undefined }}
            className={tabClass}
            activeOptions={BY_TAB}
          >
            {words.shell.usage}
          </Link>
          <Link
            to="/keys/$keyId"
            params={{ keyId: key.id }}
            search={{ tab: "webhook" }}
            className={tabClass}
            activeOptions={BY_TAB}
          >
            {words.keys.webhook}
          </Link>
        </Tabs>
      }
    >
      {search.tab === "webhook" ? <KeyWebhook apiKey={key} search={search} /> : <KeyUsage apiKey={key} />}
    </Page>
  );
}
