import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { ErrorPanel } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { Segmented, Tabs, tabClass } from "../../components/tabs.js";
import { type Business, businessQuery } from "../../queries/business.js";
import { useWords } from "../../words/use-words.js";
import styles from "./business.module.css";
import { BUSINESS_TABS, type BusinessTab } from "./business-search.js";
import { LeaveGuard } from "./form/leave-guard.js";
import { SaveBar } from "./form/save-bar.js";
import { type BusinessForm, useBusinessForm } from "./form/use-business-form.js";
import { LanguagesTab } from "./tabs/languages-tab.js";
import { NotificationsTab } from "./tabs/notifications-tab.js";
import { NumbersTab } from "./tabs/numbers-tab.js";
import { ProfileTab } from "./tabs/profile-tab.js";
import { TaxesTab } from "./tabs/taxes-tab.js";
import { TermsTab } from "./tabs/terms-tab.js";
import { LiveView } from "./view/live-view.js";
import { useIsWide } from "./view/use-is-wide.js";

const route = getRouteApi("/business");

/** The profile that customers see, beside what they see of it. */
export function BusinessScreen() {
  const words = useWords();
  const { tab = "profile" } = route.useSearch();
  const { data: business, error, refetch } = useQuery(businessQuery);
  const tabs = (
    <Tabs label={words.shell.business}>
      {BUSINESS_TABS.map((each) => (
        <Link
          key={each}
          to="/business"
          search={each === "profile" ? {} : { tab: each }}
          activeOptions={{ exact: true, includeSearch: true }}
          className={tabClass}
        >
          {words.business.tabs[each]}
        </Link>
      ))}
    </Tabs>
  );
  return (
    <Page title={words.shell.business} tabs={tabs} layout="flush">
      {business !== undefined ? (
        <Content business={business} tab={tab} />
      ) : (
        <div className={styles.waiting}>
          {error === null ? (
            <SkeletonRows />
          ) : (
            <ErrorPanel
              title={words.common.couldNotLoad(words.shell.business)}
              error={error}
              onRetry={() => void refetch()}
            />
          )}
        </div>
      )}
    </Page>
  );
}

type Side = "edit" | "preview";

function Content({ business, tab }: { readonly business: Business; readonly tab: BusinessTab }) {
  const words = useWords().business;
  const form = useBusinessForm(business);
  const isWide = useIsWide();
  const [side, setSide] = useState<Side>("edit");
  const isEdited = isWide || side === "edit" || form.isReadOnly;
  const isPreviewed = !form.isReadOnly && (isWide || side === "preview");
  return (
    <div className={isPreviewed && isEdited ? `${styles.screen} ${styles.split}` : styles.screen}>
      <LeaveGuard isDirty={form.changed.length > 0} />
      <div className={styles.form}>
        {!isWide && !form.isReadOnly && (
          <div className={styles.sides}>
            <Segmented
              label={words.side}
              value={side}
              options={[
                { value: "edit", label: words.edit },
                { value: "preview", label: words.preview },
              ]}
              onChange={setSide}
            />
          </div>
        )}
        {isEdited && (
          <fieldset className={styles.all} disabled={form.isReadOnly}>
            <legend className="visually-hidden">{words.tabs[tab]}</legend>
            {form.isReadOnly && <p className={styles.readOnly}>{words.readOnly}</p>}
            <Tab form={form} tab={tab} />
          </fieldset>
        )}
        {!isEdited && <LiveView form={form} />}
        <SaveBar form={form} />
      </div>
      {isPreviewed && isEdited && (
        <aside className={styles.aside} aria-label={words.preview}>
          <LiveView form={form} />
        </aside>
      )}
    </div>
  );
}

function Tab({ form, tab }: { readonly form: BusinessForm; readonly tab: BusinessTab }) {
  switch (tab) {
    case "profile":
      return <ProfileTab form={form} />;
    case "taxes":
      return <TaxesTab form={form} />;
    case "numbers":
      return <NumbersTab form={form} />;
    case "languages":
      return <LanguagesTab form={form} />;
    case "notifications":
      return <NotificationsTab form={form} />;
    case "terms":
      return <TermsTab form={form} />;
  }
}
