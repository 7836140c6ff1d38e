import "../../components/mono.css";
import type { ApiKey } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { StatusChip, Tag } from "../../components/chip.js";
import { EmptyState, ErrorPanel } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { keysQuery } from "../../queries/keys.js";
import { useMay } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { CreateKeyDialog } from "./create-key-dialog.js";
import { stateOf, TONES } from "./key-state.js";
import styles from "./keys.module.css";

export function KeysScreen() {
  const { data: keys, error, refetch } = useQuery(keysQuery);
  const [isCreating, setCreating] = useState(false);
  const words = useWords();
  const mayChange = useMay()("administer");
  const create = (
    <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
      {words.keys.newKey}
    </Button>
  );
  const isEmpty = keys?.length === 0;
  return (
    <Page title={words.shell.keys} actions={mayChange && !isEmpty ? create : undefined}>
      {error !== null ? (
        <ErrorPanel title={words.common.couldNotLoad(words.shell.keys)} error={error} onRetry={() => void refetch()} />
      ) : keys === undefined ? (
        <SkeletonRows />
      ) : isEmpty ? (
        <EmptyState
          icon={KeyRound}
          title={words.keys.emptyTitle}
          text={mayChange ? words.keys.emptyText : words.keys.emptyMember}
          action={mayChange ? create : undefined}
        />
      ) : (
        <KeyTable keys={keys} />
      )}
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function KeyTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  const words = useWords();
  const formats = useFormats();
  const nowMs = Date.now();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
    <section className={table.scroll} tabIndex={0} aria-label={words.shell.keys}>
      <table className={`${table.table} ${table.wide}`}>
        <thead>
          <tr>
            <th scope="col">{words.keys.name}</th>
            <th scope="col">{words.keys.state}</th>
            <th scope="col">{words.keys.scopes}</th>
            <th scope="col" className={table.number}>
              {words.keys.limit}
            </th>
            <th scope="col">{words.keys.lastUse}</th>
            <th scope="col">{words.keys.expires}</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => {
            const state = stateOf(key, nowMs);
            return (
              <tr key={key.id} className={state === "REVOKED" ? table.quiet : undefined}>
                <th scope="row">
                  <Link to="/keys/$keyId" params={{ keyId: key.id }}>
                    {key.name}
                  </Link>
                  <br />
                  <code className={styles.prefix}>{key.keyPrefix}…</code>
                </th>
                <td>
                  <StatusChip tone={TONES[state]}>{words.keys.states[state]}</StatusChip>
                </td>
                <td>
                  <span className={styles.tags}>
                    {key.scopes.map((scope) => (
                      <Tag key={scope}>{words.keys.scopeNames[scope]}</Tag>
                    ))}
                  </span>
                </td>
                <td className={table.number}>{words.keys.perHour(formats.number(key.rateLimitPerHour))}</td>
                <td>{key.lastUsedAt === null ? words.keys.never : formats.ago(key.lastUsedAt, nowMs)}</td>
                <td>{key.expiresAt === null ? words.keys.never : formats.date(key.expiresAt)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
