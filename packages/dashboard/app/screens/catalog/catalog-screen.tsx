import { getRouteApi, Link } from "@tanstack/react-router";
import { NoRight } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { Tabs, tabClass } from "../../components/tabs.js";
import { useMay } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { CatalogTab } from "./catalog-tab.js";

const route = getRouteApi("/catalog");

/** Products and packages: what lines of budgets are made of. */
export function CatalogScreen() {
  const words = useWords();
  const may = useMay();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tab = search.tab ?? "products";
  if (!may("READ_PRODUCTS")) {
    return (
      <Page title={words.shell.catalog}>
        <NoRight right={words.common.scope("READ_PRODUCTS")} />
      </Page>
    );
  }
  return (
    <CatalogTab
      key={tab}
      tab={tab}
      search={search}
      mayWrite={may("WRITE_PRODUCTS")}
      onSearch={(next) => void navigate({ search: { tab, ...next }, replace: true })}
      tabs={
        <Tabs label={words.shell.catalog}>
          {(["products", "packages"] as const).map((each) => (
            <Link
              key={each}
              to="/catalog"
              search={{ tab: each }}
              className={tabClass}
              activeProps={{}}
              aria-current={each === tab ? "page" : undefined}
            >
              {words.catalog[each]}
            </Link>
          ))}
        </Tabs>
      }
    />
  );
}
