import { BudgetkitError } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Pencil, Plus, Trash2, UserX } from "lucide-react";
import { useState } from "react";
import { Button, ButtonLink } from "../../components/button.js";
import { Menu } from "../../components/menu.js";
import { EmptyState, ErrorPanel, NoRight } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { customerQuery } from "../../queries/records.js";
import { useMay } from "../../session/use-session.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { useDeletion } from "../records/use-deletion.js";
import { CustomerBudgets } from "./customer-budgets.js";
import { CustomerContact } from "./customer-contact.js";
import { CustomerDialog } from "./customer-dialog.js";

const route = getRouteApi("/customers/$customerId");

/** Who the customer is, and what was offered to them. */
export function CustomerScreen() {
  const words = useWords();
  const texts = words.customers;
  const { customerId } = route.useParams();
  const navigate = route.useNavigate();
  const may = useMay();
  const mayRead = may("READ_CUSTOMERS");
  const { data: customer, error, refetch } = useQuery({ ...customerQuery(customerId), enabled: mayRead });
  const [isEditing, setEditing] = useState(false);
  const { remove } = useDeletion({
    kind: "customers",
    delete: (id, options) => api.customers.delete(id, options),
    restore: (id) => api.customers.restore(id),
  });
  const parent = { to: "/customers", label: words.shell.customers };
  if (!mayRead || customer === undefined) {
    return (
      <Page title={words.shell.customers} parent={parent}>
        {!mayRead ? (
          <NoRight right={words.common.scope("READ_CUSTOMERS")} />
        ) : error === null ? (
          <SkeletonRows />
        ) : error instanceof BudgetkitError && error.status === 404 ? (
          <EmptyState
            icon={UserX}
            title={texts.goneTitle}
            text={texts.goneText}
            action={
              <ButtonLink to="/customers" search={{ deleted: true }}>
                {texts.toDeleted}
              </ButtonLink>
            }
          />
        ) : (
          <ErrorPanel
            title={words.common.couldNotLoad(texts.theCustomer)}
            error={error}
            onRetry={() => void refetch()}
          />
        )}
      </Page>
    );
  }
  const mayWrite = may("WRITE_CUSTOMERS");
  return (
    <Page
      title={customer.name}
      parent={parent}
      actions={
        <>
          {mayWrite && (
            <Button icon={Pencil} onClick={() => setEditing(true)}>
              {words.common.edit}
            </Button>
          )}
          {may("WRITE_BUDGETS") && (
            <ButtonLink kind="primary" icon={Plus} to="/budgets/new" search={{ customerId }}>
              {texts.newBudget}
            </ButtonLink>
          )}
          {mayWrite && (
            <Menu
              groups={[
                [
                  {
                    label: words.common.delete,
                    icon: Trash2,
                    danger: true,
                    onSelect: () =>
                      remove.mutate(customer, { onSuccess: () => void navigate({ to: "/customers", search: {} }) }),
                  },
                ],
              ]}
            />
          )}
        </>
      }
    >
      <CustomerContact customer={customer} />
      {may("READ_BUDGETS") && <CustomerBudgets customerId={customerId} />}
      {isEditing && <CustomerDialog customer={customer} onClose={() => setEditing(false)} />}
    </Page>
  );
}
