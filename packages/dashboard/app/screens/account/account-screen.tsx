import type { OwnAccount } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { UserRound } from "lucide-react";
import { EmptyState, ErrorPanel } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { accountQuery } from "../../queries/account.js";
import { mount } from "../../start/mount.js";
import { useWords } from "../../words/use-words.js";
import styles from "./account.module.css";
import { IdentityForm } from "./identity-form.js";
import { PasswordForm } from "./password-form.js";
import { SecondFactor } from "./second-factor.js";

/** The own login. A login of the host is not changed here. */
export function AccountScreen() {
  const words = useWords();
  return (
    <Page title={words.shell.account}>
      {mount.session === "host" ? (
        <EmptyState icon={UserRound} title={words.account.hostTitle} text={words.account.hostText} />
      ) : (
        <OwnLogin />
      )}
    </Page>
  );
}

function OwnLogin() {
  const words = useWords();
  const { data: account, error, refetch } = useQuery(accountQuery);
  if (account !== undefined) return <Parts account={account} />;
  if (error === null) return <SkeletonRows />;
  const title = words.common.couldNotLoad(words.shell.account);
  return <ErrorPanel title={title} error={error} onRetry={() => void refetch()} />;
}

function Parts({ account }: { readonly account: OwnAccount }) {
  const words = useWords().account;
  return (
    <div className={styles.parts}>
      <section className={styles.part} aria-labelledby="account-identity">
        <h2 id="account-identity">{words.identity}</h2>
        <IdentityForm account={account} />
      </section>
      <section className={styles.part} aria-labelledby="account-password">
        <div>
          <h2 id="account-password">{words.password}</h2>
          <p className={styles.note}>{words.passwordNote}</p>
        </div>
        <PasswordForm />
      </section>
      <section className={styles.part} aria-labelledby="account-factor">
        <div>
          <h2 id="account-factor">{words.factor}</h2>
          <p className={styles.note}>{words.factorNote}</p>
        </div>
        <SecondFactor isOn={account.hasSecondFactor === true} />
      </section>
    </div>
  );
}
