import type { Budget } from "@budgetkit/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../components/button.js";
import { useFormats } from "../../../formats/use-formats.js";
import { budgetViewsQuery } from "../../../queries/budget.js";
import { useWords } from "../../../words/use-words.js";
import { loadedOf } from "../loaded-pages.js";
import styles from "./side.module.css";

/** How often the link was opened, and when last. */
export function ViewCount({ views }: { readonly views: Budget["views"] }) {
  const words = useWords().budget.side;
  const formats = useFormats();
  return (
    <span className={styles.quiet}>
      {views === undefined ? words.noViews : words.views(views.count, formats.ago(views.lastViewedAt, Date.now()))}
    </span>
  );
}

const SHOWN = 8;

/** The last views with time and kind of device, once they are asked for. */
export function ViewList({ budgetId }: { readonly budgetId: string }) {
  const words = useWords().budget.side;
  const formats = useFormats();
  const [isShown, setShown] = useState(false);
  const query = useInfiniteQuery({ ...budgetViewsQuery(budgetId), enabled: isShown });
  return (
    <div>
      <Button kind="quiet" size="small" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {words.viewList}
      </Button>
      {isShown && (
        <ol className={styles.views}>
          {loadedOf(query)
            .entries.slice(0, SHOWN)
            .map(({ viewedAt, device }) => (
              <li key={viewedAt}>
                <time dateTime={viewedAt}>{formats.dateTime(viewedAt)}</time>
                <span>{words.devices[device]}</span>
              </li>
            ))}
        </ol>
      )}
    </div>
  );
}
