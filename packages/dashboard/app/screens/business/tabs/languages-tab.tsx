import { useWords } from "../../../words/use-words.js";
import styles from "../business.module.css";
import { FormGroup } from "../form/form-group.js";
import { sampleOf } from "../form/format-sample.js";
import { CurrencyField, LocaleField, ZoneField } from "../form/profile-fields.js";
import type { BusinessForm } from "../form/use-business-form.js";

export function LanguagesTab({ form }: { readonly form: BusinessForm }) {
  const words = useWords().business;
  const { locale, currency, timeZone } = form.profile;
  const sample = sampleOf({ locale, currency, timeZone }, Date.now());
  return (
    <>
      <FormGroup title={words.language} note={words.moneyNote}>
        <LocaleField form={form} />
        <CurrencyField form={form} />
        <div className={styles.whole}>
          <p className={styles.note}>{words.sample}</p>
          <p className={styles.example} lang={locale === "" ? undefined : locale}>
            {sample.amount} · {sample.date}
          </p>
        </div>
      </FormGroup>
      <FormGroup title={words.fields.timeZone} note={words.zoneNote}>
        <ZoneField form={form} />
        <p className={styles.note}>{words.nowThere(sample.time)}</p>
      </FormGroup>
    </>
  );
}
