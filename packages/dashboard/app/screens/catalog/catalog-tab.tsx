import { useInfiniteQuery } from "@tanstack/react-query";
import { Package as PackageIcon, Plus, Upload } from "lucide-react";
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import { Button } from "../../components/button.js";
import { EmptyState } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { packagesQuery, productsQuery } from "../../queries/records.js";
import { useShortcut } from "../../shell/use-shortcut.js";
import { useWords } from "../../words/use-words.js";
import { RecordList } from "../records/record-list.js";
import type { RecordsSearch } from "../records/records-search.js";
import { filterOf, RecordsToolbar } from "../records/records-toolbar.js";
import { PackageDialog } from "./packages/package-dialog.js";
import { PackagesTable } from "./packages/packages-table.js";
import { ProductDialog } from "./products/product-dialog.js";
import { ProductsTable } from "./products/products-table.js";

const ImportProducts = lazy(async () => ({ default: (await import("./products/import-products.js")).ImportProducts }));

interface Props {
  readonly tab: "products" | "packages";
  readonly tabs: ReactNode;
  readonly search: RecordsSearch;
  readonly mayWrite: boolean;
  readonly onSearch: (search: RecordsSearch) => void;
}

export function CatalogTab({ tab, tabs, search, mayWrite, onSearch }: Props) {
  const words = useWords();
  const texts = words.catalog;
  const [open, setOpen] = useState<"new" | "import" | null>(null);
  const create = useCallback(() => setOpen("new"), []);
  useShortcut("n", mayWrite ? create : null);
  const close = () => setOpen(null);
  const { q: _, ...withoutText } = search;
  const createButton = (
    <Button kind="primary" icon={Plus} shortcut="N" aria-keyshortcuts="n" onClick={create}>
      {texts.create[tab]}
    </Button>
  );
  const list = { what: texts[tab], search: search.q ?? "", onClearSearch: () => onSearch(withoutText) };
  const empty = <EmptyState icon={PackageIcon} title={texts.emptyTitle[tab]} text={texts.emptyText[tab]} />;
  return (
    <Page
      title={words.shell.catalog}
      tabs={tabs}
      actions={
        mayWrite && (
          <>
            {tab === "products" && (
              <Button icon={Upload} onClick={() => setOpen("import")}>
                {words.customers.importing.open}
              </Button>
            )}
            {createButton}
          </>
        )
      }
    >
      <RecordsToolbar label={texts.searchLabel[tab]} search={search} onChange={onSearch} />
      {tab === "products" ? (
        <Products list={list} empty={empty} search={search} mayWrite={mayWrite} />
      ) : (
        <Packages list={list} empty={empty} search={search} mayWrite={mayWrite} />
      )}
      {open === "new" && tab === "products" && <ProductDialog product={null} mayWrite onClose={close} />}
      {open === "new" && tab === "packages" && <PackageDialog bundle={null} mayWrite onClose={close} />}
      {open === "import" && (
        <Suspense fallback={null}>
          <ImportProducts onClose={close} />
        </Suspense>
      )}
    </Page>
  );
}

interface ListProps {
  readonly list: { readonly what: string; readonly search: string; readonly onClearSearch: () => void };
  readonly empty: ReactNode;
  readonly search: RecordsSearch;
  readonly mayWrite: boolean;
}

function Products({ list, empty, search, mayWrite }: ListProps) {
  const query = useInfiniteQuery(productsQuery(filterOf(search)));
  return (
    <RecordList {...list} query={query} empty={empty}>
      {(products) => <ProductsTable products={products} mayWrite={mayWrite} />}
    </RecordList>
  );
}

function Packages({ list, empty, search, mayWrite }: ListProps) {
  const query = useInfiniteQuery(packagesQuery(filterOf(search)));
  return (
    <RecordList {...list} query={query} empty={empty}>
      {(packages) => <PackagesTable packages={packages} mayWrite={mayWrite} />}
    </RecordList>
  );
}
