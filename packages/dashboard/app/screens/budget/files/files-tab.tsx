import type { Budget } from "@budgetkit/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Paperclip } from "lucide-react";
import { EmptyState } from "../../../components/notices.js";
import { Section } from "../../../components/page.js";
import table from "../../../components/table.module.css";
import { budgetFilesQuery } from "../../../queries/budget.js";
import { useWords } from "../../../words/use-words.js";
import { loadedOf } from "../loaded-pages.js";
import { ScrollBox } from "../scroll-box.js";
import { TabState } from "../tab-state.js";
import { FileRow } from "./file-row.js";
import { UploadArea } from "./upload-area.js";

interface Props {
  readonly budget: Budget;
  readonly mayWrite: boolean;
}

export function FilesTab({ budget, mayWrite }: Props) {
  const { budget: all, common } = useWords();
  const words = all.files;
  const query = useInfiniteQuery(budgetFilesQuery(budget.id));
  const { entries } = loadedOf(query);
  return (
    <Section title={words.title}>
      {mayWrite && <UploadArea budgetId={budget.id} />}
      <TabState query={query} what={words.what}>
        {entries.length === 0 ? (
          <EmptyState icon={Paperclip} title={words.empty} text={words.emptyText} />
        ) : (
          <ScrollBox label={words.title}>
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">{words.name}</th>
                  <th scope="col" className={table.number}>
                    {words.size}
                  </th>
                  <th scope="col">{words.addedAt}</th>
                  <th scope="col">{words.share}</th>
                  <th scope="col">
                    <span className="visually-hidden">{common.more}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {entries.map((file) => (
                  <FileRow key={file.id} budgetId={budget.id} file={file} mayWrite={mayWrite} />
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
      </TabState>
    </Section>
  );
}
