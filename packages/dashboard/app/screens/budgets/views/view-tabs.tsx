import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { TextField } from "../../../components/inputs.js";
import { Count, Tabs, tabClass } from "../../../components/tabs.js";
import { useFormats } from "../../../formats/use-formats.js";
import { figuresQuery } from "../../../queries/figures.js";
import { salesQuery } from "../../../queries/sales.js";
import { useWords } from "../../../words/use-words.js";
import { countOf } from "../../overview/currencies.js";
import { DEFAULT_WEEKS } from "../../overview/overview-search.js";
import styles from "../budgets.module.css";
import type { BudgetsSearch } from "../budgets-search.js";
import { changeSearch, hasFilter, isSameFilter } from "../filters/change-search.js";
import { addView, BUILT_IN_VIEWS, type BuiltInView, keepViews, readViews } from "./saved-views.js";

const EXACT = { exact: true, includeSearch: true };

/** The views as tabs: those that everybody has, the person's own ones, and the way to keep the present one. */
export function ViewTabs({ search }: { readonly search: BudgetsSearch }) {
  const words = useWords().budgets;
  const counts = useViewCounts();
  const formats = useFormats();
  const [views, setViews] = useState(readViews);
  const [isNaming, setNaming] = useState(false);
  const change = (next: typeof views) => {
    keepViews(next);
    setViews(next);
  };
  const inOrder = (own: BudgetsSearch) => changeSearch(own, { sort: search.sort ?? null, order: search.order ?? null });
  const isKept = [...BUILT_IN_VIEWS, ...views].some((view) => isSameFilter(view.search, search));
  return (
    <Tabs label={words.views}>
      {BUILT_IN_VIEWS.map(({ name, search: own }) => {
        const count = counts[name];
        return (
          <Link key={name} to="/budgets" search={inOrder(own)} className={tabClass ?? ""} activeOptions={EXACT}>
            {words.viewNames[name]}
            {count !== undefined && <Count>{formats.number(count)}</Count>}
          </Link>
        );
      })}
      {views.map((view) => {
        const isCurrent = isSameFilter(view.search, search);
        return (
          <span key={view.name} className={styles.ownView}>
            <Link to="/budgets" search={inOrder(view.search)} className={tabClass ?? ""} activeOptions={EXACT}>
              {view.name}
            </Link>
            {isCurrent && (
              <IconButton
                icon={X}
                size="small"
                label={words.removeView(view.name)}
                onClick={() => change(views.filter((each) => each !== view))}
              />
            )}
          </span>
        );
      })}
      {!isKept && hasFilter(search) && (
        <Button kind="quiet" size="small" icon={Plus} onClick={() => setNaming(true)}>
          {words.saveView}
        </Button>
      )}
      {isNaming && (
        <NameView
          onClose={() => setNaming(false)}
          onSave={(name) => {
            change(addView(views, { name, search }));
            setNaming(false);
          }}
        />
      )}
    </Tabs>
  );
}

/** Counts that other figures hold already. Undefined = not known. */
function useViewCounts(): Readonly<Partial<Record<BuiltInView, number>>> {
  const { data } = useQuery(figuresQuery);
  const { data: sales } = useQuery(salesQuery(DEFAULT_WEEKS));
  if (data === undefined) return {};
  const { DELETED, ...others } = data.budgets.byStatus;
  return {
    all: Object.values(others).reduce((sum, count) => sum + count, 0),
    drafts: others.DRAFT,
    waiting: others.PENDING,
    ...(sales === undefined ? {} : { expiring: sales.expiringSoon, collect: countOf(sales.toCollect) }),
  };
}

interface NameProps {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}

function NameView({ onSave, onClose }: NameProps) {
  const words = useWords();
  const [name, setName] = useState("");
  return (
    <Dialog title={words.budgets.saveView} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "") onSave(name);
        }}
      >
        <TextField
          label={words.budgets.viewName}
          hint={words.budgets.viewHint}
          value={name}
          maxLength={40}
          required
          onChange={setName}
        />
        <div className={styles.formActions}>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" disabled={name.trim() === ""}>
            {words.common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
