import type { ApiKey } from "@budgetkit/client";
import { Webhook } from "lucide-react";
import { EmptyState } from "../../components/notices.js";
import { Section } from "../../components/page.js";
import { useMay } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { Deliveries } from "../deliveries/deliveries.js";
import type { DeliverySearch } from "../deliveries/delivery-search.js";
import { SecretSection } from "../deliveries/secret-section.js";

interface Props {
  readonly apiKey: ApiKey;
  readonly search: DeliverySearch;
}

/** Where events about what the key made go: the address, its secret, and what was sent. */
export function KeyWebhook({ apiKey: key, search }: Props) {
  const words = useWords().keys;
  const mayChange = useMay()("administer");
  if (key.webhookUrl === null) {
    return <EmptyState icon={Webhook} title={words.noWebhookTitle} text={words.noWebhookText} />;
  }
  const subscriber = { kind: "key", id: key.id } as const;
  return (
    <>
      <Section title={words.webhook}>
        <p>
          <code>{key.webhookUrl}</code>
        </p>
        {mayChange && <SecretSection subscriber={subscriber} />}
      </Section>
      <Deliveries subscriber={subscriber} url={key.webhookUrl} canReceive={key.status === "ACTIVE"} search={search} />
    </>
  );
}
