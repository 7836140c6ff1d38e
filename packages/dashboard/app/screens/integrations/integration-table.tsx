import type { Integration } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { StatusChip } from "../../components/chip.js";
import table from "../../components/table.module.css";
import { keysQuery } from "../../queries/keys.js";
import { webhooksQuery } from "../../queries/webhooks.js";
import { useWords } from "../../words/use-words.js";
import { webhookName } from "../webhooks/webhook-name.js";
import { IntegrationMenu } from "./integration-menu.js";
import styles from "./integrations.module.css";

interface Props {
  readonly integrations: readonly Integration[];
  /** Null = the person may change nothing. */
  readonly onEdit: ((integration: Integration) => void) | null;
}

export function IntegrationTable({ integrations, onEdit }: Props) {
  const { data: keys = [] } = useQuery(keysQuery);
  const { data: webhooks = [] } = useQuery(webhooksQuery);
  const words = useWords();
  const keyName = (id: string) => keys.find((key) => key.id === id)?.name ?? words.integrations.goneKey(id);
  const linkOf = (id: string) => {
    const webhook = webhooks.find((each) => each.id === id);
    return webhook === undefined ? (
      words.integrations.goneWebhook(id)
    ) : (
      <Link to="/webhooks/$webhookId" params={{ webhookId: id }}>
        {webhookName(webhook)}
      </Link>
    );
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard */}
      <section className={table.scroll} tabIndex={0} aria-label={words.shell.integrations}>
        <table className={`${table.table} ${table.wide}`}>
          <thead>
            <tr>
              <th scope="col">{words.integrations.name}</th>
              <th scope="col">{words.integrations.state}</th>
              <th scope="col">{words.integrations.key}</th>
              <th scope="col">{words.integrations.webhooks}</th>
              {onEdit !== null && (
                <th scope="col">
                  <span className="visually-hidden">{words.common.more}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {integrations.map((integration) => (
              <tr key={integration.id}>
                <th scope="row">
                  {integration.name}
                  {integration.description !== null && <p className={styles.note}>{integration.description}</p>}
                </th>
                <td>
                  <StatusChip tone={integration.status === "ACTIVE" ? "good" : "quiet"}>
                    {words.integrations.states[integration.status]}
                  </StatusChip>
                </td>
                <td>
                  {integration.apiKeyId === null ? (
                    words.common.none
                  ) : (
                    <Link to="/keys/$keyId" params={{ keyId: integration.apiKeyId }}>
                      {keyName(integration.apiKeyId)}
                    </Link>
                  )}
                </td>
                <td>
                  {integration.webhookIds.length === 0 && words.common.none}
                  {integration.webhookIds.map((id) => (
                    <div key={id}>{linkOf(id)}</div>
                  ))}
                </td>
                {onEdit !== null && (
                  <td className={table.actions}>
                    <IntegrationMenu integration={integration} onEdit={() => onEdit(integration)} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.note}>{words.integrations.onlyNote}</p>
    </>
  );
}
