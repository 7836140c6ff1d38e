import { Download, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../../components/button.js";
import { DocumentFrame } from "../../../components/document-frame.js";
import { SelectField } from "../../../components/inputs.js";
import { ErrorPanel, messageOf } from "../../../components/notices.js";
import { saveFile } from "../../../components/save-file.js";
import { SkeletonRows } from "../../../components/skeleton.js";
import { Segmented } from "../../../components/tabs.js";
import { useLanguage, useWords } from "../../../words/use-words.js";
import type { BusinessForm } from "../form/use-business-form.js";
import styles from "./live-view.module.css";
import { PdfFrame } from "./pdf-frame.js";
import { type Appearance, DOCUMENT_LANGUAGES, type DocumentLanguage, type ShownAs, usePreview } from "./use-preview.js";

/** A sample budget as its customer would get it after the changes, which are not saved. */
export function LiveView({ form }: { readonly form: BusinessForm }) {
  const words = useWords();
  const { language: own } = useLanguage();
  const [as, setAs] = useState<ShownAs>("page");
  const [appearance, setAppearance] = useState<Appearance>("light");
  const [language, setLanguage] = useState<DocumentLanguage | "">("");
  const { shown, error, isFetching, refetch } = usePreview(form, { as, appearance, language });
  const names = new Intl.DisplayNames(own, { type: "language" });
  const title = words.business.previewOf[shown?.as ?? as];
  return (
    <div className={styles.view}>
      <div className={styles.tools}>
        <Segmented
          label={words.business.shownAs}
          value={as}
          options={(["page", "pdf", "mail"] as const).map((value) => ({ value, label: words.business.as[value] }))}
          onChange={setAs}
        />
        <span className={styles.right}>
          {as !== "pdf" && (
            <Segmented
              label={words.business.appearance}
              value={appearance}
              options={[
                { value: "light", label: <Look icon={Sun} name={words.shell.themes.light} /> },
                { value: "dark", label: <Look icon={Moon} name={words.shell.themes.dark} /> },
              ]}
              onChange={setAppearance}
            />
          )}
          <SelectField
            label={words.business.previewLanguage}
            hideLabel
            value={language}
            options={[
              { value: "", label: words.business.ownLanguage },
              ...DOCUMENT_LANGUAGES.map((value) => ({ value, label: names.of(value) ?? value })),
            ]}
            onChange={setLanguage}
          />
          <IconButton
            icon={Download}
            label={words.business.download}
            disabled={shown === null}
            onClick={() => shown !== null && saveFile(shown.content, shown.fileName)}
          />
        </span>
      </div>
      {error !== null && shown !== null && (
        <p className={styles.stale} role="status">
          {words.business.previewStale} {messageOf(error, words.common)}
        </p>
      )}
      <div className={styles.paper} aria-busy={isFetching}>
        {shown === null ? (
          error === null ? (
            <SkeletonRows />
          ) : (
            <ErrorPanel title={words.business.noPreview} error={error} onRetry={() => void refetch()} />
          )
        ) : shown.markup === null ? (
          <PdfFrame title={title} content={shown.content} />
        ) : (
          <DocumentFrame title={title} markup={shown.markup} />
        )}
      </div>
    </div>
  );
}

function Look({ icon: Icon, name }: { readonly icon: typeof Sun; readonly name: string }) {
  return (
    <span title={name} className={styles.look}>
      <Icon size={14} aria-hidden="true" />
      <span className="visually-hidden">{name}</span>
    </span>
  );
}
