import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus, Upload, Users } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { Button } from "../../components/button.js";
import { EmptyState, NoRight } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { customersQuery } from "../../queries/records.js";
import { useMay } from "../../session/use-session.js";
import { useShortcut } from "../../shell/use-shortcut.js";
import { useWords } from "../../words/use-words.js";
import { RecordList } from "../records/record-list.js";
import { filterOf, RecordsToolbar } from "../records/records-toolbar.js";
import { CustomerDialog } from "./customer-dialog.js";
import { CustomersTable } from "./customers-table.js";

const ImportCustomers = lazy(async () => ({ default: (await import("./import-customers.js")).ImportCustomers }));
const route = getRouteApi("/customers");

export function CustomersScreen() {
  const words = useWords();
  const may = useMay();
  if (!may("READ_CUSTOMERS")) {
    return (
      <Page title={words.shell.customers}>
        <NoRight right={words.common.scope("READ_CUSTOMERS")} />
      </Page>
    );
  }
  return <Customers mayWrite={may("WRITE_CUSTOMERS")} />;
}

function Customers({ mayWrite }: { readonly mayWrite: boolean }) {
  const words = useWords();
  const texts = words.customers;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<"new" | "import" | null>(null);
  const query = useInfiniteQuery(customersQuery(filterOf(search)));
  const create = useCallback(() => setOpen("new"), []);
  useShortcut("n", mayWrite ? create : null);
  const close = () => setOpen(null);
  const createButton = (
    <Button kind="primary" icon={Plus} shortcut="N" aria-keyshortcuts="n" onClick={create}>
      {texts.newCustomer}
    </Button>
  );
  const isBare = query.data?.pages[0]?.data.length === 0 && search.q === undefined;
  return (
    <Page
      title={words.shell.customers}
      actions={
        mayWrite && (
          <>
            <Button icon={Upload} onClick={() => setOpen("import")}>
              {texts.importing.open}
            </Button>
            {!isBare && createButton}
          </>
        )
      }
    >
      <RecordsToolbar
        label={texts.searchLabel}
        search={search}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      <RecordList
        what={words.shell.customers}
        query={query}
        search={search.q ?? ""}
        onClearSearch={() => void navigate({ search: ({ q: _, ...rest }) => rest, replace: true })}
        empty={
          <EmptyState
            icon={Users}
            title={texts.emptyTitle}
            text={texts.emptyText}
            action={mayWrite ? createButton : undefined}
          />
        }
      >
        {(customers) => <CustomersTable customers={customers} mayWrite={mayWrite} />}
      </RecordList>
      {open === "new" && (
        <CustomerDialog
          customer={null}
          onClose={close}
          onSaved={({ id }) => void navigate({ to: "/customers/$customerId", params: { customerId: id } })}
        />
      )}
      {open === "import" && (
        <Suspense fallback={null}>
          <ImportCustomers onClose={close} />
        </Suspense>
      )}
    </Page>
  );
}
